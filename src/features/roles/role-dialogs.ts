import type { Grant, SubjectKind } from '../../access/access.ts';
import { clip, sanitizeLine } from '../../slack/blocks.ts';
import { renderRole } from './role-text.ts';

const MAX_NAME_LENGTH = 60;

/** The dialog that asks before an admin claims ownership. */
export const CLAIM_DIALOG = {
  title: 'Claim ownership?',
  text: 'You’ll be able to do everything in Upnext here. I’ll tell the other Owners.',
  confirm: 'Claim ownership',
};

const LOSS_PHRASES: Readonly<Record<SubjectKind, string>> = {
  person: 'This person loses',
  group: 'This user group loses',
  members: 'All full members lose',
};

/** Builds the dialog that asks before a role is taken back. */
export function buildTakeDialog(
  { subjectKind, role, project }: Grant,
  projectNames: ReadonlyMap<string, string>,
) {
  const projectName = clip(sanitizeLine(projectNames.get(project) ?? 'this project'), MAX_NAME_LENGTH);
  const scopeText = project === '' ? '' : ` in ${projectName}`;
  const text =
    role === 'none'
      ? 'The default role applies to all full members again.'
      : `${LOSS_PHRASES[subjectKind]} the ${renderRole(role)} role${scopeText}.`;
  return {
    title: 'Take back this role?',
    text,
    confirm: 'Take back',
    deny: 'Keep',
    style: 'danger',
  } as const;
}
