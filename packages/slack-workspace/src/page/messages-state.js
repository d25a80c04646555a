import { filterChannelMessages, mergeMessages } from './threads.js';

/**
 * @import { Message } from '../protocol.ts'
 * @import { PageState } from './state.js'
 */

/**
 * Adds a message. It counts as read if its channel is open.
 * @param {PageState} state
 * @param {Message} message
 * @returns {PageState}
 */
export function addMessage(state, message) {
  const next = changeMessages(state, message.channel, (messages) => [
    ...messages.filter(({ ts }) => ts !== message.ts),
    message,
  ]);
  return markRead(next);
}

/**
 * Marks the messages of the open channel as read. Nothing is read while the Home tab is open.
 * @param {PageState} state
 * @returns {PageState}
 */
export function markRead(state) {
  const { workspace, route } = state;
  if (workspace === undefined || route.tab === 'home') return state;
  const ts = findNewestTs(workspace.messages[route.channel] ?? []);
  if (ts <= getLastReadTs(state, route.channel)) return state;
  const channels = { ...state.lastReadTs[workspace.me.id], [route.channel]: ts };
  return { ...state, lastReadTs: { ...state.lastReadTs, [workspace.me.id]: channels } };
}

/**
 * Adds the ephemeral messages that the page has to those of the server, which sends each of them only once.
 * @param {PageState} before
 * @param {Record<string, Message[]>} messages by channel
 */
export const keepEphemeral = (before, messages) =>
  Object.fromEntries(
    Object.entries(messages).map(([channel, list]) => {
      const shown = before.workspace?.messages[channel] ?? [];
      return [
        channel,
        mergeMessages(
          shown.filter(({ ephemeralTo }) => ephemeralTo !== undefined),
          list,
        ),
      ];
    }),
  );

/**
 * Whether the current person hasn't read all messages of other people in a channel, and how many of them are for this
 * person: all of a direct message, and otherwise those that mention them.
 * @param {PageState} state
 * @param {string} channel
 */
export function findUnread(state, channel) {
  const { workspace } = state;
  const me = workspace?.me.id ?? '';
  const lastReadTs = getLastReadTs(state, channel);
  const unread = (workspace?.messages[channel] ?? []).filter(
    ({ ts, user, ephemeralTo }) => ts > lastReadTs && user !== me && ephemeralTo === undefined,
  );
  const kind = workspace?.channels.find(({ id }) => id === channel)?.kind;
  const isDirect = kind === 'im' || kind === 'mpim';
  return {
    isUnread: filterChannelMessages(unread).length > 0,
    count: unread.filter((message) => isDirect || mentions(message, me)).length,
  };
}

/**
 * @param {Message} message
 * @param {string} person
 */
function mentions({ text, blocks = [] }, person) {
  const content = `${text}${JSON.stringify(blocks)}`;
  return (
    content.includes(`<@${person}>`) || content.includes(`"user_id":"${person}"`) || EVERYBODY.test(content)
  );
}

/** `@here`, `@channel` and `@everyone`, in mrkdwn and in rich text. */
const EVERYBODY = /<!(?:here|channel|everyone)\b|"type":"broadcast"/;

/**
 * @param {PageState} state
 * @param {string} channel
 */
const getLastReadTs = ({ lastReadTs, workspace, openedTs }, channel) =>
  lastReadTs[workspace?.me.id ?? '']?.[channel] ?? openedTs;

/**
 * The ts of the newest message, or '' without messages. All ts have the same length, so they compare as text.
 * @param {readonly Message[]} messages
 */
export const findNewestTs = (messages) =>
  messages.reduce((newest, { ts }) => (ts > newest ? ts : newest), '');

/**
 * @param {PageState} state
 * @param {string} channel
 * @param {(messages: Message[]) => Message[]} change
 * @returns {PageState}
 */
export function changeMessages(state, channel, change) {
  const { workspace } = state;
  if (workspace === undefined) return state;
  const messages = { ...workspace.messages, [channel]: change(workspace.messages[channel] ?? []) };
  return { ...state, workspace: { ...workspace, messages } };
}
