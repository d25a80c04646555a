import type { Overflow } from '@slack/types';
import {
  includesRole,
  listPendingRequests,
  type PendingRequest,
  ROLES,
  type Role,
} from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import type { Call } from '../../handlers/call.ts';
import { actions, button, clip, escapeText, option, sanitizeLine, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderAbilities, renderRole, renderRoleHolder } from './role-text.ts';

/** Prefix of the action ids for an owner's answer, such as `roles.answer.contributor`. */
export const ANSWER_PREFIX = 'roles.answer';
export const DECLINE_ACTION = `${ANSWER_PREFIX}.no`;
/** The menu with the other roles. Its values are the request's id and a role, such as "… contributor". */
export const GIVE_OTHER_ROLE_ACTION = `${ANSWER_PREFIX}.other`;

const MAX_NAME_LENGTH = 60;

/** Renders " in Harbour Coffee" (mrkdwn). Returns '' for the whole workspace, which has no project name. */
function renderProjectSuffix(name: string | undefined): string {
  return name === undefined ? '' : ` in ${escapeText(clip(sanitizeLine(name), MAX_NAME_LENGTH))}`;
}

/** Renders the notification for the person who got a role. */
export function renderRoleGiven(change: {
  role: Role;
  givenBy: string;
  project: string | undefined;
}): Message {
  return {
    text: `<@${change.givenBy}> made you ${renderRoleHolder(change.role)}${renderProjectSuffix(change.project)}. \`/upnext help\` shows what you can do.`,
  };
}

/** Renders the message that asks the owners for a role. The menu has the roles that weren't asked for. */
export function renderAccessRequest(request: {
  id: string;
  person: string;
  role: Role;
  project: string | undefined;
}): Message {
  const { id, role } = request;
  const scopeText = renderProjectSuffix(request.project) || ' in the whole workspace';
  const text = `<@${request.person}> requested the *${renderRole(role)}* role${scopeText}. ${renderRole(role)}s can ${renderAbilities(role)}.`;
  const otherRoles = ROLES.filter((other) => other !== role && other !== 'owner');
  const menu: Overflow = {
    type: 'overflow',
    action_id: GIVE_OTHER_ROLE_ACTION,
    options: otherRoles.map((other) => option(`Give ${renderRole(other)} instead`, `${id} ${other}`)),
  };
  return {
    text,
    blocks: [
      { ...section(text), accessory: menu },
      actions(
        button('Approve', `${ANSWER_PREFIX}.${role}`, id, 'primary'),
        button('Decline', DECLINE_ACTION, id),
      ),
    ],
  };
}

/** Renders the message that replaces [Request access] after the press. */
export function renderRequestSent(request: { role: Role; project: string | undefined }): Message {
  return {
    text: `Request sent for the ${renderRole(request.role)} role${renderProjectSuffix(request.project)}. I’ll DM you when an Owner answers.`,
  };
}

/** Renders the message that replaces an answered request in an owner's direct messages. */
export function renderAnsweredRequest(request: {
  person: string;
  role: string;
  /** A role, or 'no'. */
  answer: string;
  answeredBy: string;
  project: string | undefined;
}): Message {
  const text =
    request.answer === 'no'
      ? `<@${request.answeredBy}> declined <@${request.person}>’s request for the ${renderRole(request.role)} role${renderProjectSuffix(request.project)}.`
      : `<@${request.answeredBy}> made <@${request.person}> ${renderRoleHolder(request.answer)}${renderProjectSuffix(request.project)}.`;
  return { text };
}

/** Renders the notification for the person whose request was declined. */
export function renderDeclinedRequest(request: {
  role: string;
  declinedBy: string;
  project: string | undefined;
}): Message {
  return {
    text: `<@${request.declinedBy}> declined your request for the ${renderRole(request.role)} role${renderProjectSuffix(request.project)}.`,
  };
}

/** Renders the notification for the other owners after an admin of the Slack workspace has claimed ownership. */
export function renderOwnershipClaim(person: string): Message {
  return {
    text: `<@${person}>, a workspace admin, now owns Upnext here. Take it back with \`/upnext roles\`.`,
  };
}

/** Minimum interval between a person's requests for the same role in the same project. */
export const MIN_REPEAT_INTERVAL_MS = DAY_MS;

/** Whether a request has been waiting for so long that the person may send it again. */
export function mayRepeatRequest({ requestedAt }: PendingRequest, now: Date): boolean {
  return requestedAt.getTime() <= now.getTime() - MIN_REPEAT_INTERVAL_MS;
}

/** Finds the actor's newest pending request for this role or a higher one, in the project or the whole workspace. */
export async function findPendingRequest(
  call: Call,
  role: Role,
  project = '',
): Promise<PendingRequest | undefined> {
  const { workspace, user: person } = call.actor;
  const requests = await listPendingRequests(call.context.db, { workspace, person, now: call.now() });
  return requests.find(
    (request) => includesRole(request.role, role) && ['', project].includes(request.project),
  );
}
