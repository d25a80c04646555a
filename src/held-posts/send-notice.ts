import type { WebClient } from '@slack/web-api';
import { disableParsing, type Message } from '../slack/message.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { messageAddress } from '../slack/tell-once.ts';
import {
  computeNotificationKey,
  findNotification,
  NOTIFICATION_EVENT,
} from '../submissions/find-notification.ts';
import { type HeldPostContext, readEventText } from './held-post-context.ts';
import type { Notice } from './notices.ts';
import { findCardReaders, isInternalChannel, LookupFailed, readShownPost } from './show.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { type HeldPostMessageRow, saveHeldPostMessage } from './sql/messages.ts';
import { renderHeldPostCard } from './text/held-post-card.ts';
import { renderCommentReply, renderCommentText, renderNoticeText } from './text/notice-text.ts';

/** A notice with the earlier messages about the post. */
interface PendingNotice {
  notice: Notice;
  messages: readonly HeldPostMessageRow[];
}

/** Sends a notice, unless an earlier claim has sent it. Only a temporary failure is thrown. */
export async function sendNotice(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  pending: PendingNotice,
): Promise<void> {
  const { notice } = pending;
  const { recipient, isChannel, purpose, told } = notice;
  if (isChannel && !(await isInternalChannel(context, client, row, recipient))) return;
  if (purpose === 'comment' && !isChannel && !(await maySee(context, row, recipient))) return;
  const { notifying_since: startedAt, notify_at: claimedUntil } = row;
  const wasStartedBefore =
    startedAt !== null &&
    claimedUntil !== null &&
    claimedUntil.getTime() - startedAt.getTime() > context.pace.notifyLeaseMs;
  try {
    const thread = await findThread(client, pending);
    const notified = {
      ...toNotified(row, notice),
      ...(isChannel && { notifiedChannel: recipient }),
      thread,
    };
    const earlier = wasStartedBefore
      ? await findNotification(context, client, notified, startedAt)
      : undefined;
    const { channel, ts } = earlier ?? (await send(context, client, row, { ...notice, thread }));
    const isCard = thread === undefined && earlier?.isShared !== true;
    await saveHeldPostMessage(context.db, {
      workspace: row.workspace,
      held_post: row.id,
      ...{ channel, ts },
      purpose: !isCard ? 'reminder' : purpose === 'problem' ? purpose : 'author',
      recipient,
      told,
      sent_at: context.clock(),
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    context.log.warn({ id: row.id, recipient, err: error }, 'could not send a message about a held post');
  }
}

/** Whether somebody who took part may still see the post. */
async function maySee(
  { submissions, kind }: HeldPostContext,
  { workspace, project }: HeldPostRow,
  user: string,
): Promise<boolean> {
  const subject = { project, kind: kind.name, isRecheck: true };
  const answer = await submissions.context.checkPermission({ workspace, user }, 'viewer', subject);
  if (answer === 'unknown') throw new LookupFailed('could not find out whether somebody may see a post');
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

/** The row for the key of a notice. A later notice about the same state tells something else. */
export function toNotified(
  { id, fence, state }: Pick<HeldPostRow, 'id' | 'fence' | 'state'>,
  { recipient, purpose, told }: Pick<Notice, 'recipient' | 'purpose' | 'told'>,
) {
  return { id, fence, state: `${state} ${purpose} ${told.at(-1)}`, author: recipient };
}

async function send(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  notice: Notice & { thread: string | undefined },
) {
  const message = await renderNotice(context, client, row, notice);
  await context.pace.onCrashPoint?.('before-message');
  const response = await client.chat.postMessage({
    channel: notice.recipient,
    ...disableParsing(message),
    ...(notice.thread !== undefined && { thread_ts: notice.thread }),
    metadata: {
      event_type: NOTIFICATION_EVENT,
      event_payload: { notification: computeNotificationKey(toNotified(row, notice)) },
    },
  });
  await context.pace.onCrashPoint?.('after-message');
  return messageAddress.parse(response);
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
