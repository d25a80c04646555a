/** @import { Message as SlackMessage } from '../protocol.ts' */

/**
 * Whether the message is a reply in a thread.
 * @param {SlackMessage} message
 */
const isReply = (message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * The messages of a channel, without the replies in threads. Replies that were also sent to the channel are included.
 * @param {readonly SlackMessage[]} messages
 * @returns {readonly SlackMessage[]}
 */
export function filterChannelMessages(messages) {
  const isVisible = (/** @type {SlackMessage} */ message) =>
    !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isVisible) ? messages : messages.filter(isVisible);
}

/**
 * The messages of a thread: its first message, then the replies.
 * @param {readonly SlackMessage[]} messages
 * @param {string} ts of the first message
 */
export const filterThreadMessages = (messages, ts) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/**
 * Merges two lists, oldest first. If both have a message, that of `newer` wins.
 * @param {readonly SlackMessage[]} older
 * @param {readonly SlackMessage[]} newer
 */
export function mergeMessages(older, newer) {
  const all = new Map([...older, ...newer].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}
