import { ROLES, type Role } from '../../access/access.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { mayWords } from './role-words.ts';

/** One button for each role, e.g. `roles.answer.author`; and one that gives none. */
export const ANSWER = 'roles.answer';
export const NO = `${ANSWER}.no`;

const NAME = 60;

/** mrkdwn: " for Harbour Coffee", or nothing for the whole workspace. */
function forProject(name: string | undefined): string {
  return name === undefined ? '' : ` for ${escapeText(clip(sanitizeLine(name), NAME))}`;
}

/** To who was given a role. */
export function toldMessage(news: { role: Role; by: string; project: string | undefined }): Message {
  return {
    text: `You are now ${news.role} in Upnext${forProject(news.project)}, given by <@${news.by}>. You may ${mayWords(news.role)}. \`/upnext help\` shows how.`,
  };
}

/** To the owners: who asks for which role, with the roles as buttons. */
export function askedMessage(asked: {
  id: string;
  person: string;
  role: Role;
  project: string | undefined;
}): Message {
  const text = `<@${asked.person}> asks for the role ${asked.role} in Upnext${forProject(asked.project)}. Who has it may ${mayWords(asked.role)}.`;
  const given = ROLES.filter((role) => role !== 'owner' || asked.role === 'owner').map((role) =>
    button(`Make ${role}`, `${ANSWER}.${role}`, asked.id, role === asked.role ? 'primary' : undefined),
  );
  return { text, blocks: [section(text), actions(...given, button('Not now', NO, asked.id))] };
}

/** In the place of the question, once somebody has answered. */
export function answeredMessage(asked: {
  person: string;
  role: string;
  answer: string;
  by: string;
  project: string | undefined;
}): Message {
  const what =
    asked.answer === 'no'
      ? `<@${asked.by}> did not give <@${asked.person}> a role.`
      : `<@${asked.by}> made <@${asked.person}> ${asked.answer}${forProject(asked.project)}.`;
  return { text: what };
}

export function declinedMessage(asked: { role: string; by: string; project: string | undefined }): Message {
  return {
    text: `<@${asked.by}> did not give you the role ${asked.role} in Upnext${forProject(asked.project)} now.`,
  };
}

/** To the owners: somebody has made themselves one. */
export function claimedMessage(person: string): Message {
  return {
    text: `<@${person}>, who runs this Slack workspace, has claimed ownership of Upnext, and may now do everything here. \`/upnext roles\` takes it back.`,
  };
}
