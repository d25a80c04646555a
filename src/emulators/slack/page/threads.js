/** @import { Message as MessageFacts } from '../protocol.ts' */

/**
 * An answer in a thread, not the message that began it.
 * @param {MessageFacts} message
 */
const isReply = (message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * What stands in the channel itself: no answers, unless they were sent to the channel too.
 * @param {readonly MessageFacts[]} messages
 * @returns {readonly MessageFacts[]}
 */
export function inChannel(messages) {
  const isHere = (/** @type {MessageFacts} */ message) =>
    !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isHere) ? messages : messages.filter(isHere);
}

/**
 * A thread: the message that began it, then its answers.
 * @param {readonly MessageFacts[]} messages
 * @param {string} ts of the first
 */
export const inThread = (messages, ts) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/**
 * Both, oldest first; where one message is in both, the second has the newer words.
 * @param {readonly MessageFacts[]} some
 * @param {readonly MessageFacts[]} others
 */
export function together(some, others) {
  const all = new Map([...some, ...others].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}
