import { isEnough, isRole } from '../../access/roles.ts';
import type { Call } from '../../slack/feature.ts';
import { grantsIn } from '../../store/grants.ts';
import type { Parts } from '../../submissions/parts.ts';
import type { Subject } from './give-role.ts';

/** Whether nobody would own the workspace any more who was made an owner, once these own it no more. */
export async function areLastOwners(
  { parts, who }: Call<Parts>,
  subjects: readonly Subject[],
): Promise<boolean> {
  // Elsewhere somebody owns it whatever is given.
  if (parts.access.first.owners !== 'installer') return false;
  const owning = (await grantsIn(parts.db, who.workspace)).filter(
    ({ role, project }) => project === '' && isRole(role) && isEnough(role, 'owner'),
  );
  const isMeant = ({ subjectKind, subject }: (typeof owning)[number]) =>
    subjects.some(({ kind, id }) => kind === subjectKind && id === subject);
  return owning.length > 0 && owning.every(isMeant);
}
