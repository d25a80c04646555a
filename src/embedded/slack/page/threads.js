/** @import { Message as MessageFacts } from '../protocol.ts' */

/**
 * An answer in a thread, not the message that began it.
 * @param {MessageFacts} message
 */
export const isReply = (message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * Replies stand under the message that they answer.
 * @param {readonly MessageFacts[]} messages
 */
export function inThreads(messages) {
  if (!messages.some(isReply)) return messages;
  const known = new Set(messages.filter((message) => !isReply(message)).map(({ ts }) => ts));
  return messages
    .filter((message) => !isReply(message) || !known.has(message.threadTs ?? ''))
    .flatMap((message) => [
      message,
      ...messages.filter((reply) => isReply(reply) && reply.threadTs === message.ts),
    ]);
}
