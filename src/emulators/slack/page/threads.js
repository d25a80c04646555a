/** @import { Message as SlackMessage } from '../protocol.ts' */

/**
 * Whether the message is a reply in a thread.
 * @param {SlackMessage} message
 */
const isReply = (message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * The messages of a channel, without replies that weren't also sent to the channel.
 * @param {readonly SlackMessage[]} messages
 * @returns {readonly SlackMessage[]}
 */
export function filterChannelMessages(messages) {
  const isHere = (/** @type {SlackMessage} */ message) =>
    !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isHere) ? messages : messages.filter(isHere);
}

/**
 * The messages of a thread: its first message, then the replies.
 * @param {readonly SlackMessage[]} messages
 * @param {string} ts of the first
 */
export const filterThreadMessages = (messages, ts) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/**
 * Merges two lists, oldest first. The second list has the newer version of a message.
 * @param {readonly SlackMessage[]} some
 * @param {readonly SlackMessage[]} others
 */
export function mergeMessages(some, others) {
  const all = new Map([...some, ...others].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}
