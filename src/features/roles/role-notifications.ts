import { ROLES, type Role } from '../../access/access.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { renderAbilities } from './role-text.ts';

/** Prefix of the action ids for an owner's answer, such as `roles.answer.contributor`. */
export const ANSWER_PREFIX = 'roles.answer';
export const DECLINE = `${ANSWER_PREFIX}.no`;

const MAX_NAME_LENGTH = 60;

/** Renders " for Harbour Coffee" (mrkdwn). Returns '' for the whole workspace, which has no project name. */
function renderProjectSuffix(name: string | undefined): string {
  return name === undefined ? '' : ` for ${escapeText(clip(sanitizeLine(name), MAX_NAME_LENGTH))}`;
}

/** Renders the notification for the person who got a role. */
export function renderRoleGiven(change: {
  role: Role;
  givenBy: string;
  project: string | undefined;
}): Message {
  return {
    text: `You are now ${change.role} in Upnext${renderProjectSuffix(change.project)}, given by <@${change.givenBy}>. You may ${renderAbilities(change.role)}. \`/upnext help\` shows how.`,
  };
}

/** Renders the message that asks the owners for a role, with a button for each role. */
export function renderAccessRequest(request: {
  id: string;
  person: string;
  role: Role;
  project: string | undefined;
}): Message {
  const text = `<@${request.person}> asks for the role ${request.role} in Upnext${renderProjectSuffix(request.project)}. Who has it may ${renderAbilities(request.role)}.`;
  const roleButtons = ROLES.filter((role) => role !== 'owner' || request.role === 'owner').map((role) =>
    button(
      `Make ${role}`,
      `${ANSWER_PREFIX}.${role}`,
      request.id,
      role === request.role ? 'primary' : undefined,
    ),
  );
  return { text, blocks: [section(text), actions(...roleButtons, button('Not now', DECLINE, request.id))] };
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
      ? `<@${request.answeredBy}> declined the request of <@${request.person}>.`
      : `<@${request.answeredBy}> made <@${request.person}> ${request.answer}${renderProjectSuffix(request.project)}.`;
  return { text };
}

/** Renders the notification for the person whose request was declined. */
export function renderDeclinedRequest(request: {
  role: string;
  declinedBy: string;
  project: string | undefined;
}): Message {
  return {
    text: `<@${request.declinedBy}> did not give you the role ${request.role} in Upnext${renderProjectSuffix(request.project)} now.`,
  };
}

/** Renders the notification for the other owners after an admin of the Slack workspace has claimed ownership. */
export function renderOwnershipClaim(person: string): Message {
  return {
    text: `<@${person}>, a workspace admin, now owns Upnext here. Take it back with \`/upnext roles\`.`,
  };
}
