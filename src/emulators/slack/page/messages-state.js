/**
 * @import { Message } from '../protocol.ts'
 * @import { PageState } from './state.js'
 */

/**
 * One message more; what the person does not see just now counts as unread.
 * @param {PageState} state
 * @param {Message} message
 * @returns {PageState}
 */
export function withMessage(state, message) {
  const seen = message.channel === state.place.channel || message.user === state.world?.me.id;
  const unread = seen
    ? state.unread
    : { ...state.unread, [message.channel]: (state.unread[message.channel] ?? 0) + 1 };
  const next = withMessages(state, message.channel, (all) => [
    ...all.filter((one) => one.ts !== message.ts),
    message,
  ]);
  return { ...next, unread };
}

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
