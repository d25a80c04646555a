import type { WebClient } from '@slack/web-api';
import type { Message } from '../slack/message.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readEventText } from './held-post-context.ts';
import type { Notice } from './notices.ts';
import { findCardReaders, isInternalChannel, readShownPost } from './show.ts';
import type { HeldPostMessageRow } from './sql/messages.ts';
import { NotYet, type PostNotification, tellOfPost, tryCall } from './tell.ts';
import { renderHeldPostCard } from './text/held-post-card.ts';
import { renderCommentReply, renderCommentText, renderNoticeText } from './text/notice-text.ts';

/** A notice with the earlier messages about the post. */
interface PendingNotice {
  notice: Notice;
  messages: readonly HeldPostMessageRow[];
  /** Lists the people who are told of a problem if the author can't be reached. */
  listStandIns(): Promise<readonly string[]>;
}

/** Sends a notice, unless an earlier attempt has sent it. Only a temporary failure is thrown. */
export async function sendNotice(notification: PostNotification, pending: PendingNotice): Promise<void> {
  const { context, client, row } = notification;
  const { notice, listStandIns } = pending;
  const { recipient, isChannel, purpose, told } = notice;
  if (isChannel && !(await isInternalChannel(context, client, row, recipient))) return;
  if (purpose === 'comment' && !isChannel && !(await maySee(context, row, recipient))) return;
  const thread = await tryCall(context, row, () => findThread(client, pending));
  await tellOfPost(notification, {
    ...{ purpose, thread, told, recipient, to: recipient },
    render: () => renderNotice(context, client, row, { ...notice, thread }),
    ...(purpose === 'problem' && recipient === row.author && { listStandIns }),
  });
}

/** Whether somebody who took part may still see the post. */
async function maySee(
  { submissions, kind }: HeldPostContext,
  { workspace, project }: HeldPostRow,
  user: string,
): Promise<boolean> {
  const subject = { project, kind: kind.name, isRecheck: true };
  const answer = await submissions.context.checkPermission({ workspace, user }, 'viewer', subject);
  if (answer === 'unknown') throw new NotYet('could not find out whether somebody may see a post');
  return answer === 'yes';
}

/** Finds the review request in the conversation with the recipient of a comment. */
async function findThread(
  client: WebClient,
  { notice, messages }: PendingNotice,
): Promise<string | undefined> {
  const { purpose, reply, recipient } = notice;
  const requests = messages.filter((message) => message.purpose === 'review');
  if (purpose !== 'comment' || reply || requests.length === 0) return reply?.ts;
  const { channel } = await client.conversations.open({ users: recipient });
  return requests.findLast((request) => request.channel === channel?.id)?.ts;
}

/** Renders the post's card with what happened, or only the comments if the card is above in the thread. */
async function renderNotice(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  { purpose, thread, reply, events: rows }: Notice & { thread: string | undefined },
): Promise<Message> {
  const events = rows.map((event) => ({ ...event, text: readEventText(context, event) }));
  if (thread !== undefined) return { text: renderCommentReply(events, reply?.mentioned ?? []) };
  const renderNote = purpose === 'comment' ? renderCommentText : renderNoticeText;
  const note = events.length === 0 ? undefined : renderNote(events);
  return renderHeldPostCard(await readShownPost(context, row), await findCardReaders(context, client, row), {
    note,
  });
}
