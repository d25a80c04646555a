import type { WebClient } from '@slack/web-api';
import type { Call } from '../../app/call.ts';
import { readSlackText } from '../text/read-slack-text.ts';
import { handlerOf, type RouterOptions, runLine } from './frame.ts';
import type { RequestOf } from './payloads.ts';

type EventRequest = RequestOf<'event'>;

/** An event with which a person asks for something. */
export const HOME_OPENED = 'app_home_opened';

/**
 * Where a person speaks to the bot: by its name in a channel, or in their direct message with it. Never what a bot
 * says, and no change of a message.
 */
export function addressOf({ event }: EventRequest): 'mention' | 'direct' | undefined {
  const { type, subtype, bot_id: bot, user, channel, channel_type: kind, hidden } = event;
  if (user === undefined || channel === undefined || bot !== undefined || hidden === true) return undefined;
  if (subtype !== undefined) return undefined;
  if (type === 'app_mention') return 'mention';
  return type === 'message' && kind === 'im' ? 'direct' : undefined;
}

/** A person waits for an answer. */
export function isAsked(request: EventRequest): boolean {
  return addressOf(request) !== undefined || request.event.type === HOME_OPENED;
}

/** What somebody said to the bot is done as if it had been typed as a command; what else happened goes to its feature. */
export async function runEvent(
  options: RouterOptions,
  request: EventRequest,
  call: Call,
  bot: string | undefined,
): Promise<void> {
  const { event, event_id: id } = request;
  if (addressOf(request) !== undefined) {
    if (event.user === bot || !(await options.isFirst(call, `event.${id}`))) return;
    return runLine(options, call, await saidTo(bot, event.text ?? '', call.client));
  }
  const found = handlerOf(options.features, (feature) => feature.events, event.type);
  if (!found || !(await options.isFirst(call, `event.${id}`))) return;
  // What happens by itself is nobody's attempt.
  const isHome = event.type === HOME_OPENED;
  const allowed = isHome
    ? await options.permit(call, found.feature, { surface: 'event', id: event.type })
    : call;
  const heard = { id, type: event.type, about: event };
  await found.handler({ ...allowed, event: heard, ...(bot !== undefined && { bot }) });
}

/** Beyond these nobody's name is looked up. */
const MOST_NAMES = 10;
const PERSON = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;

/** What follows the bot's name in a message, or all of it where the bot is not named; as people read it. */
async function saidTo(bot: string | undefined, text: string, client: WebClient): Promise<string> {
  const name = [...text.matchAll(PERSON)].find(([, id]) => id === bot);
  // People write "@Upnext: next" too.
  const said = name ? text.slice(name.index + name[0].length).replace(/^\s*[:,]/, '') : text;
  const people = [...new Set([...said.matchAll(PERSON)].map(([, id = '']) => id))].slice(0, MOST_NAMES);
  const named = await Promise.all(people.map(async (id) => [id, await nameOf(id, client)] as const));
  const names = new Map(named);
  return readSlackText({ text: said, names: (kind, id) => (kind === 'user' ? names.get(id) : undefined) })
    .text;
}

async function nameOf(user: string, client: WebClient): Promise<string | undefined> {
  try {
    const { user: found } = await client.users.info({ user });
    return found?.profile?.display_name || found?.real_name;
  } catch {
    // A name is missing from what was said, which is no reason not to do it.
    return undefined;
  }
}
