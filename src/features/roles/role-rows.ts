import type { SectionBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AssignedRole,
  type DefaultRole,
  type Grant,
  type Role,
  type RoleReason,
  SUBJECT_KINDS,
} from '../../access/access.ts';
import { button, clip, escapeText, sanitizeLine, section, withConfirmation } from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildTakeDialog } from './role-dialogs.ts';
import { renderRole } from './role-text.ts';

export const TAKE_BACK_ACTION = 'roles.take';

/** The state of [Take back]: the grant to remove. The actor's permission is checked again at the press. */
export const takeBackStateSchema = z.object({
  kind: z.enum(SUBJECT_KINDS),
  id: z.string(),
  project: z.string(),
});

const MAX_NAME_LENGTH = 60;

/** Renders a row for each role of each holder: first the roles by default, then the roles that were given. */
export function renderRoleRows(roles: {
  grants: readonly Grant[];
  defaultRoles: readonly DefaultRole[];
  /** The role that a setting gives to all full members. */
  membersRole: Role | undefined;
  /** Project names by id. */
  projectNames: ReadonlyMap<string, string>;
}): SectionBlock[] {
  const { grants, defaultRoles, membersRole, projectNames } = roles;
  return [
    ...defaultRoles.map((holder) => renderDefaultRole(`<@${holder.user}>`, holder, projectNames)),
    ...(membersRole === undefined
      ? []
      : [renderDefaultRole('All full members', { ...MEMBERS_BY_SETTING, role: membersRole }, projectNames)]),
    ...grants.map((grant) => renderGrantRow(grant, projectNames)),
  ];
}

const MEMBERS_BY_SETTING = { project: '', reason: { kind: 'members' } } as const;

/** Renders a role that nobody gave, and the reason for it. It can't be taken back here, so it has no button. */
function renderDefaultRole(
  subject: string,
  { role, project, reason }: AssignedRole,
  projectNames: ReadonlyMap<string, string>,
): SectionBlock {
  return section(
    `${subject}: *${renderRole(role)}*${renderScope(project, projectNames)}\n${DEFAULT_REASONS[reason.kind] ?? ''}`,
  );
}

const DEFAULT_REASONS: Readonly<Partial<Record<RoleReason['kind'], string>>> = {
  'slack-owner': 'by default, because they own this Slack workspace',
  emulator: 'by default in the practice workspace',
  members: 'by a setting',
};

function renderGrantRow(grant: Grant, projectNames: ReadonlyMap<string, string>): SectionBlock {
  const { subjectKind: kind, subject: id, project } = grant;
  const value = encodeButtonState({ kind, id, project });
  const grantSection = section(renderGrant(grant, projectNames));
  if (value === undefined) return grantSection;
  const takeButton = withConfirmation(
    button('Take back', TAKE_BACK_ACTION, value),
    buildTakeDialog(grant, projectNames),
  );
  return { ...grantSection, accessory: takeButton };
}

/** Renders a grant as mrkdwn. Its mentions notify nobody, because the message is visible only to its recipient. */
function renderGrant(grant: Grant, projectNames: ReadonlyMap<string, string>): string {
  const { subjectKind: kind, subject, role, project, reason, grantedBy } = grant;
  const subjectText =
    kind === 'members' ? 'All full members' : kind === 'group' ? `<!subteam^${subject}>` : `<@${subject}>`;
  const seconds = Math.floor(grant.grantedAt.getTime() / 1000);
  const day = `<!date^${seconds}^{date_short_pretty}|${grant.grantedAt.toISOString().slice(0, 10)}>`;
  const origin = { given: `given by <@${grantedBy}>`, installed: 'installed Upnext', claimed: 'claimed it' }[
    reason
  ];
  return `${subjectText}: *${role === 'none' ? 'No role' : escapeText(renderRole(role))}*${renderScope(project, projectNames)}\n${origin}, ${day}`;
}

/** Renders " in Harbour Coffee" or " in the whole workspace" (mrkdwn). */
export function renderScope(project: string, projectNames: ReadonlyMap<string, string>): string {
  if (project === '') return ' in the whole workspace';
  return ` in ${escapeText(clip(sanitizeLine(projectNames.get(project) ?? `the project ${project}`), MAX_NAME_LENGTH))}`;
}
