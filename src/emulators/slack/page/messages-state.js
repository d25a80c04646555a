/**
 * @import { Message } from '../protocol.ts'
 * @import { PageState } from './state.js'
 */

/**
 * Adds a message. It is read if its channel is open.
 * @param {PageState} state
 * @param {Message} message
 * @returns {PageState}
 */
export function withMessage(state, message) {
  const next = withMessages(state, message.channel, (all) => [
    ...all.filter((one) => one.ts !== message.ts),
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
  const { world, place } = state;
  if (world === undefined || place.tab === 'home') return state;
  const ts = newestTs(world.messages[place.channel] ?? []);
  if (ts <= lastRead(state, place.channel)) return state;
  const own = { ...state.read[world.me.id], [place.channel]: ts };
  return { ...state, read: { ...state.read, [world.me.id]: own } };
}

/**
 * The number of messages of others in a channel that the current person hasn't seen.
 * @param {PageState} state
 * @param {string} channel
 */
export function countUnread(state, channel) {
  const since = lastRead(state, channel);
  const messages = state.world?.messages[channel] ?? [];
  return messages.filter(({ ts, user }) => ts > since && user !== state.world?.me.id).length;
}

/**
 * @param {PageState} state
 * @param {string} channel
 */
const lastRead = ({ read, world, since }, channel) => read[world?.me.id ?? '']?.[channel] ?? since;

/**
 * The ts of the newest message; '' without messages. All ts have the same length.
 * @param {readonly Message[]} messages
 */
export const newestTs = (messages) => messages.reduce((newest, { ts }) => (ts > newest ? ts : newest), '');

/**
 * @param {PageState} state
 * @param {string} channel
 * @param {(messages: Message[]) => Message[]} change
 * @returns {PageState}
 */
export function withMessages(state, channel, change) {
  const { world } = state;
  if (world === undefined) return state;
  const messages = { ...world.messages, [channel]: change(world.messages[channel] ?? []) };
  return { ...state, world: { ...world, messages } };
}
