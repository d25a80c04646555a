import type { WebClient } from '@slack/web-api';
import { addMs } from '../engine/shared-clock.ts';
import {
  claimNotificationRows,
  clearNotificationRows,
  type NotificationTable,
  postponeNotificationRows,
} from '../engine/sql/transitions.ts';
import { listChosenNotifications } from '../preferences/notifications.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient } from '../slack/slack-errors.ts';
import {
  computeNotificationKey,
  findNotification,
  NOTIFICATION_EVENT,
} from '../submissions/find-notification.ts';
import { findRowsById } from '../submissions/sql/submissions.ts';
import { readContent } from '../submissions/submission.ts';
import { REPORTED_STATES, type ReportedState } from './lifecycle.ts';
import type { PublicationContext } from './publication-context.ts';
import { type ReportedPost, renderPublicationMessage } from './publication-messages.ts';
import type { PublicationRow } from './sql/publications.ts';

/** Storage of notifications. The posts of one author share a message. */
export const NOTIFICATIONS: NotificationTable = {
  table: 'publication',
  exclusionColumns: ['id'],
  groupColumn: 'author',
};

/** Maximum number of rows in one claim, which a message's metadata can list. */
const MAX_ROWS = 50;

/** Claims due notifications. Resolves with one function for each author. */
export async function claimNotifications(
  context: PublicationContext,
  maxAuthors: number,
): Promise<(() => Promise<void>)[]> {
  const now = context.clock();
  const claim = {
    now,
    claimedUntil: addMs(now, context.pace.notifyLeaseMs),
    maxRows: MAX_ROWS,
    maxGroups: maxAuthors,
    excludedIds: context.exclusions.listIds(),
  };
  const rows = await claimNotificationRows<PublicationRow>(context.db, NOTIFICATIONS, claim);
  const groups = Object.values(Object.groupBy(rows, ({ workspace, author }) => `${workspace} ${author}`));
  return groups.map(
    (group = []) =>
      () =>
        notifyAuthor(context, group),
  );
}

/** Notifies one author. Clears the notifications that the author doesn't want. */
async function notifyAuthor(context: PublicationContext, rows: readonly PublicationRow[]): Promise<void> {
  const [firstRow] = rows;
  if (!firstRow) return;
  const { workspace, author } = firstRow;
  const chosen = await listChosenNotifications(context.db, { workspace, user: author });
  const client = await context.findSlackClient(workspace);
  // The next claim retries.
  if (!client || client === 'unknown') return;
  for (const state of REPORTED_STATES) {
    const stateRows = rows.filter((row) => row.state === state);
    if (!chosen.includes(state === 'published' ? 'published' : 'problems')) await clear(context, stateRows);
    else await notifyOnce(context, client, stateRows, state);
  }
}

/** Sends one message about rows in the same state, except those that an earlier claim has sent. */
async function notifyOnce(
  context: PublicationContext,
  client: WebClient,
  rows: readonly PublicationRow[],
  state: ReportedState,
): Promise<void> {
  try {
    const unsentRows: PublicationRow[] = [];
    for (const row of rows) {
      if (await wasSent(context, client, row)) await clear(context, [row]);
      else unsentRows.push(row);
    }
    const claimedRows = await renewClaim(context, unsentRows);
    if (claimedRows.length === 0) return;
    await context.pace.onCrashPoint?.('before-message');
    await sendMessage(context, client, claimedRows, state);
    await context.pace.onCrashPoint?.('after-message');
    await clear(context, claimedRows);
  } catch (error) {
    const isOld = (row: PublicationRow) =>
      context.clock().getTime() - row.changed_at.getTime() > context.pace.notifyPeriodMs;
    // The next claim retries.
    if (isTransient(error) && !rows.some(isOld)) return;
    context.log.warn({ ids: rows.map(({ id }) => id), err: error }, 'could not notify the author of a post');
    await clear(context, rows);
  }
}

/** Whether an earlier claim has sent the notification. */
async function wasSent(
  context: PublicationContext,
  client: WebClient,
  row: PublicationRow,
): Promise<boolean> {
  const { notifying_since: startedAt, notify_at: claimedUntil } = row;
  if (startedAt === null || claimedUntil === null) return false;
  const isFirstClaim = claimedUntil.getTime() - startedAt.getTime() <= context.pace.notifyLeaseMs;
  return !isFirstClaim && (await findNotification(context, client, row, startedAt)) !== undefined;
}

/** Renews the claim right before the message. Returns no rows if another instance has claimed some of them. */
async function renewClaim(
  context: PublicationContext,
  rows: readonly PublicationRow[],
): Promise<PublicationRow[]> {
  const [firstRow] = rows;
  if (!firstRow?.notify_at) return [];
  const ids = rows.map(({ id }) => id);
  const notifyAt = addMs(context.clock(), context.pace.notifyLeaseMs);
  const known = { ids, notifyAt: firstRow.notify_at };
  const renewedCount = await postponeNotificationRows(context.db, NOTIFICATIONS.table, known, { notifyAt });
  return renewedCount < ids.length ? [] : rows.map((row) => ({ ...row, notify_at: notifyAt }));
}

async function sendMessage(
  context: PublicationContext,
  client: WebClient,
  rows: readonly PublicationRow[],
  state: ReportedState,
): Promise<void> {
  const [firstRow] = rows;
  const view = { now: context.now(), isEmulated: context.isEmulated };
  const message = renderPublicationMessage(state, await readReportedPosts(context, rows), view);
  await client.chat.postMessage({
    channel: firstRow?.author ?? '',
    ...disableParsing(message),
    metadata: {
      event_type: NOTIFICATION_EVENT,
      event_payload: { notification: rows.map(computeNotificationKey).join('\n') },
    },
  });
}

/** Reads the posts from their submissions, in the order of their publishing times. */
async function readReportedPosts(
  context: PublicationContext,
  rows: readonly PublicationRow[],
): Promise<ReportedPost[]> {
  const { context: submissionContext } = context.submissions;
  const submissions = await findRowsById(
    context.db,
    rows.map(({ id }) => id),
  );
  return submissions
    .flatMap((submission) => {
      const { id, publish_at: publishAt } = submission;
      const kind = submissionContext.findKind(submission.kind);
      const contentResult = readContent(submissionContext, kind, submission);
      const content = contentResult && {
        project: kind?.getProject(contentResult.content)?.name,
        post: kind?.toPost?.(contentResult.content),
      };
      return publishAt === null ? [] : [{ id, publishAt, ...content }];
    })
    .toSorted((first, second) => first.publishAt.getTime() - second.publishAt.getTime());
}

/** Clears claimed notifications. */
async function clear({ db }: PublicationContext, rows: readonly PublicationRow[]): Promise<void> {
  for (const [notifyAt, group] of Map.groupBy(rows, (row) => row.notify_at?.getTime())) {
    if (notifyAt === undefined) continue;
    const ids = group.map(({ id }) => id);
    await clearNotificationRows(db, NOTIFICATIONS.table, { ids, notifyAt: new Date(notifyAt) });
  }
}
