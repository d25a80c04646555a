import type { WebClient } from '@slack/web-api';
import type { Call } from '../../app/call.ts';
import { readSlackText } from '../text/read-slack-text.ts';
import { findHandler, type RouterOptions, runLine } from './frame.ts';
import type { RequestOf } from './payloads.ts';

type EventRequest = RequestOf<'event'>;

/** The event of a person who opens Home, and waits for it. */
export const HOME_OPENED = 'app_home_opened';

/**
 * Whether an event is a message to the bot: a mention in a channel, or a direct message. Messages of bots and message
 * changes are neither.
 */
export function messageKind({ event }: EventRequest): 'mention' | 'direct' | undefined {
  const { type, subtype, bot_id: bot, user, channel, channel_type: kind, hidden } = event;
  if (user === undefined || channel === undefined || bot !== undefined || hidden === true) return undefined;
  if (subtype !== undefined) return undefined;
  if (type === 'app_mention') return 'mention';
  return type === 'message' && kind === 'im' ? 'direct' : undefined;
}

/** Whether a person waits for an answer to the event. */
export function awaitsAnswer(request: EventRequest): boolean {
  return messageKind(request) !== undefined || request.event.type === HOME_OPENED;
}

/** Runs a message to the bot as if it had been typed as a command. Passes other events to their feature. */
export async function runEvent(
  options: RouterOptions,
  request: EventRequest,
  call: Call,
  bot: string | undefined,
): Promise<void> {
  const { event, event_id: id } = request;
  if (messageKind(request) !== undefined) {
    if (event.user === bot || !(await options.isFirst(call, `event.${id}`))) return;
    return runLine(options, call, await readLineTo(bot, event.text ?? '', call.client));
  }
  const found = findHandler(options.features, (feature) => feature.events, event.type);
  if (!found || !(await options.isFirst(call, `event.${id}`))) return;
  // Only opening Home is an attempt of a person. Other events need no permission.
  const isHome = event.type === HOME_OPENED;
  const allowed = isHome
    ? await options.permit(call, found.feature, { surface: 'event', id: event.type })
    : call;
  const received = { id, type: event.type, payload: event };
  await found.handler({ ...allowed, event: received, ...(bot !== undefined && { bot }) });
}

/** Mentioned people whose names are looked up. */
const MAX_NAMES = 10;
const PERSON = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;

/** The text after the mention of the bot, or the whole text without one. Mentions of people become their names. */
async function readLineTo(bot: string | undefined, text: string, client: WebClient): Promise<string> {
  const mention = [...text.matchAll(PERSON)].find(([, id]) => id === bot);
  // People also write "@Upnext: next".
  const line = mention ? text.slice(mention.index + mention[0].length).replace(/^\s*[:,]/, '') : text;
  const people = [...new Set([...line.matchAll(PERSON)].map(([, id = '']) => id))].slice(0, MAX_NAMES);
  const named = await Promise.all(people.map(async (id) => [id, await fetchName(id, client)] as const));
  const names = new Map(named);
  return readSlackText({ text: line, names: (kind, id) => (kind === 'user' ? names.get(id) : undefined) })
    .text;
}

async function fetchName(user: string, client: WebClient): Promise<string | undefined> {
  try {
    const { user: found } = await client.users.info({ user });
    return found?.profile?.display_name || found?.real_name;
  } catch {
    // The command can run without the name.
    return undefined;
  }
}
