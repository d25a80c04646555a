import type { FirstOwners } from '../../access/access.ts';
import { isEnough, isRole } from '../../access/roles.ts';
import type { Grant } from '../../access/sql/grants.ts';
import type { Subject } from './give-role.ts';

/** Whether nobody would own the workspace any more who was made an owner, once these own it no more. */
export function areLastOwners(
  grants: readonly Grant[],
  subjects: readonly Subject[],
  first: FirstOwners['kind'],
): boolean {
  // Elsewhere somebody owns it whatever is given.
  if (first !== 'installer') return false;
  const owning = grants.filter(
    ({ role, project }) => project === '' && isRole(role) && isEnough(role, 'owner'),
  );
  const isMeant = ({ subjectKind, subject }: (typeof owning)[number]) =>
    subjects.some(({ kind, id }) => kind === subjectKind && id === subject);
  return owning.length > 0 && owning.every(isMeant);
}
