import type { WebClient } from '@slack/web-api';
import { computeFullJitterMs } from '../delivery/backoff.ts';
import { addMs } from '../delivery/shared-clock.ts';
import {
  claimNotificationRows,
  clearNotificationRows,
  type NotificationTable,
  postponeNotificationRows,
} from '../delivery/sql/transitions.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient } from '../slack/slack-errors.ts';
import {
  computeNotificationKey,
  findNotification,
  NOTIFICATION_EVENT,
} from '../submissions/find-notification.ts';
import { messageAddress } from '../submissions/shown-message.ts';
import { type HeldPostContext, readEventText } from './held-post-context.ts';
import { listNotices, type Notice } from './notices.ts';
import { notifyReviewers } from './review/notify-reviewers.ts';
import {
  findCardReaders,
  isInternalChannel,
  LookupFailed,
  readShownPost,
  updateHeldPostMessages,
} from './show.ts';
import { listEvents } from './sql/events.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { listHeldPostMessages, saveHeldPostMessage } from './sql/messages.ts';
import { renderHeldPostCard } from './text/held-post-card.ts';
import { renderNoticeText } from './text/notice-text.ts';

/** Storage of notifications. Each post has a separate notification. */
export const NOTIFICATIONS: NotificationTable = {
  table: 'held_post',
  exclusionColumns: ['id'],
  groupColumn: 'id',
};

/** Claims due notifications. Resolves with one function per post, which shows its state to the people concerned. */
export async function claimNotifications(
  context: HeldPostContext,
  freeSlots: number,
): Promise<(() => Promise<void>)[]> {
  const now = context.clock();
  const rows = await claimNotificationRows<HeldPostRow>(context.db, NOTIFICATIONS, {
    now,
    claimedUntil: addMs(now, context.pace.notifyLeaseMs),
    maxRows: freeSlots,
    maxGroups: freeSlots,
    excludedIds: context.exclusions.listIds(),
  });
  return rows.map((row) => () => notifyInOrder(context, row));
}

/** Notifies people after the post's running notification, which may not have recorded its messages yet. */
async function notifyInOrder(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { notifying } = context;
  const earlier = notifying.get(row.id) ?? Promise.resolve();
  const current = earlier.catch(() => undefined).then(() => notifyPeople(context, row));
  notifying.set(row.id, current);
  try {
    await current;
  } finally {
    if (notifying.get(row.id) === current) notifying.delete(row.id);
  }
}

/** Updates all messages about a post, and sends the new ones. After a temporary failure, a later claim continues. */
async function notifyPeople(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return retryLater(context, row);
  const steps = [updateHeldPostMessages, notifyReviewers, sendNotices];
  const failures: unknown[] = [];
  for (const step of steps) await step(context, client, row).catch((error) => failures.push(error));
  const since = row.notifying_since ?? context.clock();
  const isOld = context.clock().getTime() - since.getTime() > context.pace.notifyPeriodMs;
  if (failures.some(isTemporary) && !isOld) return retryLater(context, row);
  // The post is still in the lists and in the outbox.
  for (const error of failures)
    context.log.warn({ id: row.id, err: error }, 'could not notify people about a held post');
  if (row.notify_at)
    await clearNotificationRows(context.db, NOTIFICATIONS.table, { ids: [row.id], notifyAt: row.notify_at });
  context.submissions.context.onAuthorNotified({ workspace: row.workspace, user: row.author });
}

/** Postpones a claimed notification, unless a newer one has replaced it. */
async function retryLater(
  { db, clock, pace, submissions }: HeldPostContext,
  row: HeldPostRow,
): Promise<void> {
  if (!row.notify_at) return;
  const notify_attempts = row.notify_attempts + 1;
  const backoffMs = computeFullJitterMs(notify_attempts, pace.notifyBackoff, submissions.context.random);
  const known = { ids: [row.id], notifyAt: row.notify_at };
  const notifyAt = addMs(clock(), Math.max(pace.notifyLeaseMs, backoffMs));
  await postponeNotificationRows(db, NOTIFICATIONS.table, known, { notifyAt, notify_attempts });
}

function isTemporary(error: unknown): boolean {
  return isTransient(error) || error instanceof LookupFailed;
}

async function sendNotices(context: HeldPostContext, client: WebClient, row: HeldPostRow): Promise<void> {
  const isForManagers = row.reason === 'not-allowed' || row.reason === 'other-service';
  const [events, messages, policy, managers] = await Promise.all([
    listEvents(context.db, row),
    listHeldPostMessages(context.db, row),
    findPolicy(context.db, row),
    row.state === 'needs-person' && isForManagers ? listManagers(context, row) : [],
  ]);
  const notices = listNotices({
    row,
    events,
    messages,
    policyChannel: policy.channel,
    managers: managers ?? [],
  });
  for (const notice of notices) await sendOnce(context, client, row, notice);
  if (!managers) throw new LookupFailed('could not find out who manages a project');
}

/** Maximum number of managers who are asked about a post. */
const MAX_MANAGERS = 10;

/** Undefined if no manager could be found out. */
async function listManagers(
  { approvers }: HeldPostContext,
  { workspace, project }: HeldPostRow,
): Promise<readonly string[] | undefined> {
  const holders = await approvers.listRoleHolders(workspace, 'manager', project);
  const hasFailed = !holders.isComplete && !holders.includesEverybody;
  return hasFailed && holders.people.length === 0 ? undefined : holders.people.slice(0, MAX_MANAGERS);
}

/** Sends a notice, unless an earlier claim has sent it. Only a temporary failure is thrown. */
async function sendOnce(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  notice: Notice,
): Promise<void> {
  const { recipient, isChannel, purpose, told } = notice;
  if (isChannel && !(await isInternalChannel(context, client, row, recipient))) return;
  const { notifying_since: startedAt, notify_at: claimedUntil } = row;
  const wasStartedBefore =
    startedAt !== null &&
    claimedUntil !== null &&
    claimedUntil.getTime() - startedAt.getTime() > context.pace.notifyLeaseMs;
  const notified = { ...toNotified(row, notice), ...(isChannel && { notifiedChannel: recipient }) };
  try {
    const earlier = wasStartedBefore
      ? await findNotification(context, client, notified, startedAt)
      : undefined;
    const address = earlier ?? (await send(context, client, row, notice));
    await saveHeldPostMessage(context.db, {
      workspace: row.workspace,
      held_post: row.id,
      ...address,
      purpose,
      recipient,
      told,
      sent_at: context.clock(),
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    context.log.warn({ id: row.id, recipient, err: error }, 'could not send a message about a held post');
  }
}

/** The row for the key of a notice. A later notice about the same state tells something else. */
function toNotified({ id, fence, state }: HeldPostRow, { recipient, purpose, told }: Notice) {
  return { id, fence, state: `${state} ${purpose} ${told.at(-1)}`, author: recipient };
}

async function send(context: HeldPostContext, client: WebClient, row: HeldPostRow, notice: Notice) {
  const events = notice.events.map((event) => ({ ...event, text: readEventText(context, event) }));
  const note = events.length === 0 ? undefined : renderNoticeText(events);
  const card = renderHeldPostCard(
    await readShownPost(context, row),
    await findCardReaders(context, client, row),
    { note },
  );
  await context.pace.onCrashPoint?.('before-message');
  const response = await client.chat.postMessage({
    channel: notice.recipient,
    ...disableParsing(card),
    metadata: {
      event_type: NOTIFICATION_EVENT,
      event_payload: { notification: computeNotificationKey(toNotified(row, notice)) },
    },
  });
  await context.pace.onCrashPoint?.('after-message');
  return messageAddress.parse(response);
}
