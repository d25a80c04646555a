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
 * The number of other people's messages in a channel that the current person hasn't read.
 * @param {PageState} state
 * @param {string} channel
 */
export function countUnread(state, channel) {
  const lastReadTs = getLastReadTs(state, channel);
  const messages = state.workspace?.messages[channel] ?? [];
  return messages.filter(({ ts, user }) => ts > lastReadTs && user !== state.workspace?.me.id).length;
}

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
