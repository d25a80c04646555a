import type { StoredMessage } from './saved-state.ts';

/** The number of users in `reply_users`. */
const MAX_REPLY_USERS = 5;

/** Whether a message is a reply. The first message of a thread and ephemeral messages aren't. */
export function isReply(message: StoredMessage): boolean {
  return (
    message.threadTs !== undefined && message.threadTs !== message.ts && message.ephemeralTo === undefined
  );
}

/** Updates the counts of replies in the first message of a thread. `messages` are all of the channel, oldest first. */
export function withReplyCounts(first: StoredMessage, messages: readonly StoredMessage[]): StoredMessage {
  const { replyCount: _, replyUsers: __, latestReply: ___, ...bare } = first;
  const replies = messages.filter((message) => message.threadTs === first.ts && isReply(message));
  const last = replies.at(-1);
  if (!last) return bare;
  const replyUsers = [...new Set(replies.map((reply) => reply.user))].slice(0, MAX_REPLY_USERS);
  return { ...bare, replyCount: replies.length, replyUsers, latestReply: last.ts };
}
