import { within } from '../../promises.ts';
import { fetchMentionedNames, fetchOwnChannelName } from '../../slack/fetch-mentioned-names.ts';
import { readSlackText } from '../../slack/text/text.ts';
import type { Call } from '../call.ts';
import type { RequestOfKind } from './payloads.ts';
import { findHandler, type RouterOptions, runLine } from './routing.ts';

type EventRequest = RequestOfKind<'event'>;

/** The event that Slack sends when a person opens a tab of the app. */
export const HOME_OPENED = 'app_home_opened';

/** The name of the event that Slack sends for direct messages, under which a feature handles those with files. */
const FILE_MESSAGE = 'message.im';

/** True if the person has opened Home, and waits for its content. Nobody waits after opening Messages. */
function isHomeOpened({ event: { type, tab } }: EventRequest): boolean {
  return type === HOME_OPENED && tab !== 'messages';
}

/**
 * Classifies a message to the bot as a mention in a channel, a direct message, or a direct message with files. Undefined
 * for all other events, for messages from bots and for changes to messages.
 */
export function getMessageKind({ event }: EventRequest): 'mention' | 'direct' | 'file' | undefined {
  const { type, subtype, bot_id: bot, user, channel, channel_type: kind, hidden } = event;
  if (user === undefined || channel === undefined || bot !== undefined || hidden === true) return undefined;
  const isDirect = type === 'message' && kind === 'im';
  if (isDirect && subtype === 'file_share') return 'file';
  if (subtype !== undefined) return undefined;
  if (type === 'app_mention') return 'mention';
  return isDirect ? 'direct' : undefined;
}

/** True if a person waits for a response to the event. */
export function awaitsAnswer(request: EventRequest): boolean {
  return getMessageKind(request) !== undefined || isHomeOpened(request);
}

/** Runs a message to the bot as a command. Passes other events to the feature that handles them. */
export async function runEvent(
  options: RouterOptions,
  request: EventRequest,
  call: Call,
  bot: string | undefined,
): Promise<void> {
  const { event, event_id: id } = request;
  const kind = getMessageKind(request);
  if (kind === 'mention' || kind === 'direct') {
    if (event.user === bot || !(await options.isFirstDelivery(call, `event.${id}`))) return;
    const [{ text, changes }, channelName] = await Promise.all([
      extractLine(bot, event.text ?? '', call),
      // A command has the name, by which its project is found, and an event doesn't.
      kind === 'mention' ? within(NAMES_TIMEOUT_MS, fetchOwnChannelName(call)) : undefined,
    ]);
    const named = channelName === undefined ? call : { ...call, channelName };
    return void (await runLine(options, named, text, changes));
  }
  // A message with files isn't a command.
  const name = kind === 'file' ? FILE_MESSAGE : event.type;
  const found = findHandler(options.features, (feature) => feature.events, name);
  if (!found || !(await options.isFirstDelivery(call, `event.${id}`))) return;
  // Of the remaining events, only opening Home is a person's request, which needs a permission.
  const allowed = isHomeOpened(request)
    ? await options.permit(call, found.feature, { surface: 'event', id: event.type })
    : call;
  await found.handler.run({ ...allowed, event: { payload: event }, ...(bot !== undefined && { bot }) });
}

const PERSON = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;

/** How long an event waits for names. No trigger expires meanwhile. */
const NAMES_TIMEOUT_MS = 8_000;

/** Reads the text after the bot's mention, or the whole text without one. Mentions become names. */
async function extractLine(bot: string | undefined, text: string, call: Call) {
  const mention = [...text.matchAll(PERSON)].find(([, id]) => id === bot);
  // People also write "@Upnext: next".
  const line = mention ? text.slice(mention.index + mention[0].length).replace(/^\s*[:,]/, '') : text;
  const findName = await fetchMentionedNames(call, { text: line }, NAMES_TIMEOUT_MS);
  return readSlackText({ text: line, findName });
}
