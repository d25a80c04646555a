/** @import { Message as MessageFacts } from '../protocol.ts' */

/**
 * Whether the message is a reply in a thread.
 * @param {MessageFacts} message
 */
const isReply = (message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * The messages of a channel, without replies that weren't also sent to the channel.
 * @param {readonly MessageFacts[]} messages
 * @returns {readonly MessageFacts[]}
 */
export function inChannel(messages) {
  const isHere = (/** @type {MessageFacts} */ message) =>
    !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isHere) ? messages : messages.filter(isHere);
}

/**
 * The messages of a thread: its first message, then the replies.
 * @param {readonly MessageFacts[]} messages
 * @param {string} ts of the first
 */
export const inThread = (messages, ts) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/**
 * Merges two lists, oldest first. The second list has the newer version of a message.
 * @param {readonly MessageFacts[]} some
 * @param {readonly MessageFacts[]} others
 */
export function together(some, others) {
  const all = new Map([...some, ...others].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}
