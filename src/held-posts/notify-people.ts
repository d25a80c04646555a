import type { WebClient } from '@slack/web-api';
import { computeFullJitterMs } from '../engine/backoff.ts';
import { addMs } from '../engine/clock.ts';
import {
  claimNotifications as claimRows,
  endNotifications,
  type NotificationTable,
  postponeNotifications,
} from '../engine/sql/notifications.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { listNotices } from './notices.ts';
import { notifyReviewers } from './review/notify-reviewers.ts';
import { sendNotice } from './send-notice.ts';
import { LookupFailed, updateHeldPostMessages } from './show.ts';
import { listEvents } from './sql/events.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { listHeldPostMessages } from './sql/messages.ts';

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
  const rows = await claimRows<HeldPostRow>(context.db, NOTIFICATIONS, {
    now,
    claimedUntil: addMs(now, context.pace.notifyLeaseMs),
    maxRows: freeSlots,
    maxGroups: freeSlots,
    excludedIds: context.exclusions.listIds(),
    marksStart: true,
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
    await endNotifications(context.db, NOTIFICATIONS.table, { ids: [row.id], notifyAt: row.notify_at });
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
  const notify_at = addMs(clock(), Math.max(pace.notifyLeaseMs, backoffMs));
  await postponeNotifications(db, NOTIFICATIONS.table, known, { notify_at, notify_attempts });
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
  for (const notice of notices) await sendNotice(context, client, row, { notice, messages });
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
