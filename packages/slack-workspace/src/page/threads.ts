import type { Message as SlackMessage } from '../protocol.ts';

/** Whether the message is a reply in a thread. */
const isReply = (message: SlackMessage) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * The messages of a channel, without the replies in threads. Replies that were also sent to the channel are included.
 */
export function filterChannelMessages(messages: readonly SlackMessage[]): readonly SlackMessage[] {
  const isVisible = (message: SlackMessage) => !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isVisible) ? messages : messages.filter(isVisible);
}

/** The messages of a thread: its first message, then the replies. */
export const filterThreadMessages = (messages: readonly SlackMessage[], ts: string) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/** Merges two lists, oldest first. If both have a message, that of `newer` wins. */
export function mergeMessages(older: readonly SlackMessage[], newer: readonly SlackMessage[]) {
  const all = new Map([...older, ...newer].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}
