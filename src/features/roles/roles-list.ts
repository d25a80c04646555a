import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AssignedRole,
  type DefaultRole,
  type Grant,
  type PendingRequest,
  ROLES,
  type Role,
  type RoleReason,
} from '../../access/access.ts';
import {
  actions,
  button,
  context,
  escapeText,
  option,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { CLAIM_DIALOG } from './role-dialogs.ts';
import { renderRoleRows, renderScope } from './role-rows.ts';
import { renderPendingRequest, renderRole, renderRoleHolder, renderRoleLines } from './role-text.ts';

export const GIVE_ROLE_ACTION = 'roles.give';

export const CLAIM_ACTION = 'roles.claim';

export const CHOOSE_ROLE_ACTION = 'roles.request';

export const PREVIOUS_ACTION = 'roles.previous';

export const NEXT_ACTION = 'roles.next';

export const pageStateSchema = z.object({ page: z.number().int() });

/** Maximum grants on a page. */
const PAGE_SIZE = 12;

/** The values that `/upnext roles` shows. */
interface RoleOverview {
  /** The actor's role in the workspace. */
  role: Role | undefined;
  assignedRoles: readonly AssignedRole[];
  /** Whether the actor is an admin of the Slack workspace. */
  isAdmin: boolean;
  /** The grants of all people. Undefined if the actor isn't an owner. */
  grants: readonly Grant[] | undefined;
  /** The people who have a role without a grant. Undefined if the lookup failed. */
  defaultRoles: readonly DefaultRole[] | undefined;
  /** The role that a setting gives to all full members. */
  membersRole: Role | undefined;
  /** The actor's requests that no owner has answered. */
  pendingRequests: readonly PendingRequest[];
  /** Project names by id. */
  projectNames: ReadonlyMap<string, string>;
  page: number;
}

const ROLE_LIST = new Intl.ListFormat('en', { type: 'conjunction' });

export function renderRoles(overview: RoleOverview): Message {
  const { role, assignedRoles, isAdmin, grants } = overview;
  const ownRolesText =
    assignedRoles.length === 0
      ? 'You don’t have a role yet.'
      : `You’re ${ROLE_LIST.format(assignedRoles.map((assignedRole) => renderAssignedRole(assignedRole, overview.projectNames)))}.`;
  const pendingRequests = overview.pendingRequests.filter(({ project }) => project === '');
  const higherRoles = ROLES.slice(role === undefined ? 0 : ROLES.indexOf(role) + 1).filter(
    (higherRole) => !pendingRequests.some((request) => request.role === higherRole),
  );
  const roleMenu =
    higherRoles.length === 0
      ? []
      : [
          {
            type: 'static_select' as const,
            action_id: CHOOSE_ROLE_ACTION,
            placeholder: plain('Request a role', LIMITS.placeholder),
            options: higherRoles.map((higherRole) => option(renderRole(higherRole), higherRole)),
          },
        ];
  const elements = [
    ...roleMenu,
    ...(isAdmin && role !== 'owner'
      ? [withConfirmation(button('Claim ownership', CLAIM_ACTION), CLAIM_DIALOG)]
      : []),
    button('Give a role', GIVE_ROLE_ACTION, undefined, 'primary'),
  ];
  return {
    text: ownRolesText,
    blocks: [
      section(`*Roles*\n${ownRolesText}`),
      ...pendingRequests.slice(0, ROLES.length).map((request) => context(renderPendingRequest(request))),
      ...(grants ? renderGrants(grants, overview) : []),
      context(renderRoleLines().map(escapeText).join('\n')),
      actions(...elements),
    ],
  };
}

function renderGrants(grants: readonly Grant[], overview: RoleOverview): KnownBlock[] {
  const { defaultRoles, membersRole, projectNames } = overview;
  const rows = renderRoleRows({ grants, defaultRoles: defaultRoles ?? [], membersRole, projectNames });
  const page = paginate(rows, overview.page, PAGE_SIZE);
  const pageElements = buildPageButtons(
    page,
    { previous: PREVIOUS_ACTION, next: NEXT_ACTION },
    (pageNumber) => ({
      page: pageNumber,
    }),
  );
  return [
    section(`*People with a role*${page.titleSuffix}`),
    ...page.items,
    ...(defaultRoles ? [] : [context('I couldn’t look up everybody who has a role by default.')]),
    ...(pageElements.length > 0 ? [actions(...pageElements)] : []),
  ];
}

/** Renders one of the actor's roles, with the reason for it (mrkdwn). */
function renderAssignedRole(
  { role, project, reason }: AssignedRole,
  projectNames: ReadonlyMap<string, string>,
): string {
  return `${renderRoleHolder(role)}${renderScope(project, projectNames)} (${renderReason(reason)})`;
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
      return 'practice default';
  }
}
