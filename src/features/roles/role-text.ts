import { z } from 'zod';
import {
  isRole,
  type OutsiderReason,
  type PendingRequest,
  ROLE_TABLE,
  type Role,
} from '../../access/access.ts';
import { listKnownProjects } from '../../api/cached-reads.ts';
import type { Call } from '../../handlers/call.ts';
import {
  actions,
  button,
  clipLine,
  context,
  escapeText,
  renderDateForReaders,
  section,
} from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { INTRODUCTION, type Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';

/** Renders a role (plain text): "Contributor". A role of another version has only its id. */
export function renderRole(role: string): string {
  return isRole(role) ? ROLE_TABLE[role].name : role;
}

/** What Owners may do, for the question before somebody becomes one (plain text). */
export const OWNER_WARNING =
  'Owners can do everything, including giving roles and deleting webhooks and files.';

/** Renders what a person becomes with a role (plain text): "a Contributor", "an Owner". */
export function renderRoleHolder(role: string): string {
  return isRole(role) ? ROLE_TABLE[role].holder : `a ${role}`;
}

/** Joins abilities with a comma before “and”, because an ability may contain “and” itself. */
export function joinAbilities(abilities: readonly string[]): string {
  const [last = '', ...rest] = abilities.toReversed();
  return rest.length === 0 ? last : `${rest.toReversed().join(', ')}, and ${last}`;
}

/** Renders a request that no owner has answered (mrkdwn). Slack shows the time in the reader's zone. */
export function renderPendingRequest(request: Pick<PendingRequest, 'role' | 'requestedAt'>): string {
  const { role, requestedAt } = request;
  const time = renderDateForReaders(requestedAt, '{date_short_pretty} at {time}');
  return `You requested the ${renderRole(role)} role ${time}. I’ll DM you when an Owner answers.`;
}

/** Reads the project names by id. If the service doesn't answer, uses the names that it returned last. */
export async function readProjectNames({ context }: Call): Promise<ReadonlyMap<string, string>> {
  const { items = [] } = (await listKnownProjects(context)) ?? {};
  return new Map(items.map(({ id, name }) => [id, name]));
}

export const REQUEST_ACCESS_ACTION = 'roles.ask';

/** The state of [Request access]: the role to ask for, and the project's id; '' for the whole workspace. */
export const requestedRoleSchema = z.object({ role: z.string(), project: z.string() });

const OUTSIDER_REFUSALS: Record<Exclude<OutsiderReason, 'not-checked'>, string> = {
  guest: 'Guests can’t use Upnext. A workspace admin can make you a full member.',
  bot: 'Bots can’t use Upnext.',
  deactivated: 'This account is deactivated, so it can’t use Upnext.',
  stranger: 'Only members of this workspace can use Upnext here.',
};

/** Renders the refusal for people who can't get a role at all. */
export function renderOutsiderRefusal(reason: OutsiderReason, reference: string): Message {
  return reason === 'not-checked'
    ? buildPermissionUnknownMessage(reference)
    : { text: OUTSIDER_REFUSALS[reason] };
}

const WITHOUT_ROLES: Record<Exclude<OutsiderReason, 'not-checked'>, string> = {
  guest: 'is a guest. Only full members can have a role.',
  bot: 'is a bot. Only people can have a role.',
  deactivated: 'has a deactivated account.',
  stranger: 'belongs to another workspace.',
};

/** Says why somebody else can't be given a role. `who`: such as "One of them". */
export function renderNoRolePossible(reason: OutsiderReason, who: string): string {
  return reason === 'not-checked'
    ? 'I couldn’t look them up in Slack. Try again in a minute.'
    : `${who} ${WITHOUT_ROLES[reason]}`;
}

/** Renders the refusal for people whose role isn't enough. */
export function renderRoleRefusal(refusal: {
  /** The role that the person should have. [Request access] asks for it. */
  role: Role;
  /** A smaller role that is enough for a part of it, if there is one. */
  smallestRole: Role | undefined;
  /** What the role is missing for: all of Home, the help, one project if the person has it elsewhere, or the request. */
  scope: 'home' | 'help' | 'project' | 'request';
  /** What the button asks for. Without it there is no button. */
  requested: z.infer<typeof requestedRoleSchema> | undefined;
  /** The person's request that no owner has answered yet. */
  pendingRequest: PendingRequest | undefined;
  /** A sentence before the refusal (mrkdwn). */
  introduction: string | undefined;
}): Message {
  const introText = refusal.introduction === undefined ? '' : `${refusal.introduction} `;
  const { pendingRequest, requested } = refusal;
  const text = `${introText}${renderMissingRole(refusal)}`;
  const pendingText = pendingRequest && renderPendingRequest(pendingRequest);
  return {
    text: [text, pendingText].filter(Boolean).join(' '),
    blocks: [
      section(text),
      ...(pendingText === undefined ? [] : [context(pendingText)]),
      ...(requested
        ? [
            actions(
              button(
                pendingRequest ? 'Ask again' : 'Request access',
                REQUEST_ACCESS_ACTION,
                encodeButtonState(requested),
                'primary',
              ),
            ),
          ]
        : []),
    ],
  };
}

function renderMissingRole({
  role,
  smallestRole,
  scope,
}: Pick<Parameters<typeof renderRoleRefusal>[0], 'role' | 'smallestRole' | 'scope'>): string {
  if (scope === 'home') return 'You need a role to see posts here.';
  if (scope === 'help') return `${INTRODUCTION} You need a role to see them.`;
  const needed = `You need the ${renderRole(role)} role ${scope === 'project' ? 'in this project' : 'for this'}`;
  if (smallestRole === undefined) return `${needed}.`;
  return `${needed}, or the ${renderRole(smallestRole)} role to ${joinAbilities(ROLE_TABLE[smallestRole].abilities)}.`;
}

/** Prefix of the action ids for an owner's answer, such as `roles.answer.contributor`. */
export const ANSWER_PREFIX = 'roles.answer';
export const DECLINE_ACTION = `${ANSWER_PREFIX}.no`;
/** The menu with the other roles. Its values are the request's id and a role, such as "… contributor". */
export const GIVE_OTHER_ROLE_ACTION = `${ANSWER_PREFIX}.other`;

/** Renders " in Harbour Coffee" (mrkdwn). Returns '' for the whole workspace, which has no project name. */
export function renderProjectSuffix(name: string | undefined): string {
  return name === undefined ? '' : ` in ${escapeText(clipLine(name))}`;
}

/** Maximum projects in a message about roles. */
export const MAX_NAMED_PROJECTS = 10;
