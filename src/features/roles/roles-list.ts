import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AssignedRole,
  type Grant,
  ROLES,
  type Role,
  type RoleReason,
  SUBJECT_KINDS,
} from '../../access/access.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  option,
  plain,
  sanitizeLine,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { buildTakeDialog, CLAIM_DIALOG } from './role-dialogs.ts';
import { renderRole, renderRoleLines } from './role-text.ts';

export const GIVE_ROLE = 'roles.give';

export const TAKE_BACK = 'roles.take';

export const CLAIM = 'roles.claim';

export const CHOOSE_ROLE = 'roles.wish';

export const PREVIOUS = 'roles.previous';

export const NEXT = 'roles.next';

/** The state of [Take back]: the grant to remove. The actor's permission is checked again at the press. */
export const takeBackStateSchema = z.object({
  kind: z.enum(SUBJECT_KINDS),
  id: z.string(),
  project: z.string(),
});

export const pageStateSchema = z.object({ page: z.number().int() });

/** Maximum grants on a page. */
const PAGE_SIZE = 12;

const MAX_NAME_LENGTH = 60;

/** The values that `/upnext roles` shows. */
interface RoleOverview {
  /** The actor's role in the workspace. */
  role: Role | undefined;
  assignedRoles: readonly AssignedRole[];
  /** Whether the actor is an admin of the Slack workspace. */
  isAdmin: boolean;
  /** The grants of all people. Undefined if the actor isn't an owner. */
  grants: readonly Grant[] | undefined;
  /** Lines about people who have a role without a grant, for example because of a setting. Plain text. */
  ungrantedLines: readonly string[];
  /** Project names by id. */
  projectNames: ReadonlyMap<string, string>;
  page: number;
}

export function renderRoles(overview: RoleOverview): Message {
  const { role, assignedRoles, isAdmin, grants } = overview;
  const ownRolesText =
    assignedRoles.length === 0
      ? 'You don’t have a role yet.'
      : `You have: ${assignedRoles.map((assignedRole) => renderAssignedRole(assignedRole, overview.projectNames)).join('; ')}.`;
  const higherRoles = ROLES.slice(role === undefined ? 0 : ROLES.indexOf(role) + 1);
  const roleMenu =
    higherRoles.length === 0
      ? []
      : [
          {
            type: 'static_select' as const,
            action_id: CHOOSE_ROLE,
            placeholder: plain('Request a role', LIMITS.placeholder),
            options: higherRoles.map((higherRole) => option(renderRole(higherRole), higherRole)),
          },
        ];
  const elements = [
    ...roleMenu,
    ...(isAdmin && role !== 'owner'
      ? [withConfirmation(button('Claim ownership', CLAIM), CLAIM_DIALOG)]
      : []),
    button('Give a role', GIVE_ROLE, undefined, 'primary'),
  ];
  return {
    text: ownRolesText,
    blocks: [
      section(`*Roles*\n${ownRolesText}`),
      ...(grants ? renderGrants(grants, overview) : []),
      context(renderRoleLines().map(escapeText).join('\n')),
      actions(...elements),
    ],
  };
}

function renderGrants(
  grants: readonly Grant[],
  { page: requestedPage, projectNames, ungrantedLines }: RoleOverview,
): KnownBlock[] {
  const page = paginate(grants, requestedPage, PAGE_SIZE);
  const grantSections = page.items.map((grant) => {
    const { subjectKind: kind, subject: id, project } = grant;
    const value = encodeButtonState({ kind, id, project });
    const grantSection = section(renderGrant(grant, projectNames));
    if (value === undefined) return grantSection;
    const takeButton = withConfirmation(
      button('Take back', TAKE_BACK, value),
      buildTakeDialog(grant, projectNames),
    );
    return { ...grantSection, accessory: takeButton };
  });
  const pageElements = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (pageNumber) => ({
    page: pageNumber,
  }));
  const countText = grants.length === 1 ? '1 role' : `${grants.length} roles${page.titleSuffix}`;
  return [
    section(grants.length === 0 ? '*Nobody has a role yet.*' : `*Who can do what*: ${countText}`),
    ...grantSections,
    ...(ungrantedLines.length > 0 ? [context(...ungrantedLines.map((line) => plain(line)))] : []),
    ...(pageElements.length > 0 ? [actions(...pageElements)] : []),
  ];
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

/** Renders one of the actor's roles, with the reason for it (mrkdwn). */
function renderAssignedRole(
  { role, project, reason }: AssignedRole,
  projectNames: ReadonlyMap<string, string>,
): string {
  return `*${renderRole(role)}*${renderScope(project, projectNames)}, ${renderReason(reason)}`;
}

/** Renders " in Harbour Coffee" or " in the whole workspace" (mrkdwn). */
function renderScope(project: string, projectNames: ReadonlyMap<string, string>): string {
  if (project === '') return ' in the whole workspace';
  return ` in ${escapeText(clip(sanitizeLine(projectNames.get(project) ?? `the project ${project}`), MAX_NAME_LENGTH))}`;
}

/** Renders why the actor has a role (mrkdwn). */
function renderReason(reason: RoleReason): string {
  switch (reason.kind) {
    case 'given':
      return `given by <@${reason.by}>`;
    case 'group':
      return `as a member of <!subteam^${reason.group}>, given by <@${reason.by}>`;
    case 'members':
      return reason.by === undefined
        ? 'as every full member, by a setting'
        : `as every full member, given by <@${reason.by}>`;
    case 'installed':
      return 'because you installed Upnext';
    case 'claimed':
      return 'because you claimed it';
    case 'slack-owner':
      return 'because you own this Slack workspace';
    case 'emulator':
      return 'by default in the practice workspace';
  }
}
