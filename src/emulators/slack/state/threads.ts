import type { StoredMessage } from './saved-state.ts';

/** Writers that Slack names on the first message of a thread. */
const MAX_REPLY_USERS = 5;

/** An answer in a thread, not the message that began it, and seen by everybody. */
export function isReply(message: StoredMessage): boolean {
  return (
    message.threadTs !== undefined && message.threadTs !== message.ts && message.ephemeralTo === undefined
  );
}

/** The first message of a thread with what it says of its replies. `messages`: all of the channel, oldest first. */
export function withReplyCounts(first: StoredMessage, messages: readonly StoredMessage[]): StoredMessage {
  const { replyCount: _, replyUsers: __, latestReply: ___, ...bare } = first;
  const replies = messages.filter((message) => message.threadTs === first.ts && isReply(message));
  const last = replies.at(-1);
  if (!last) return bare;
  const replyUsers = [...new Set(replies.map((reply) => reply.user))].slice(0, MAX_REPLY_USERS);
  return { ...bare, replyCount: replies.length, replyUsers, latestReply: last.ts };
}
