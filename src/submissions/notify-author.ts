import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { addMs } from '../delivery/shared-clock.ts';
import {
  claimNotificationRows,
  closeNotificationRows,
  type NotificationTable,
  postponeNotificationRows,
} from '../delivery/sql/notifications.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient, isViewGone } from '../slack/slack-errors.ts';
import { computeNotificationKey, findNotification, NOTIFICATION_EVENT } from './find-notification.ts';
import { messageAddress, recordNewMessage, updateShownMessage } from './shown-message.ts';
import { listFormSubmissions, type SubmissionRow } from './sql/submissions.ts';
import { isState } from './state-copy.ts';
import { openRefusal, type ServiceRefusal } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { createTextContext, renderSubmission } from './text/render-submission.ts';
import { renderStateMessage, renderStateView } from './text/state-blocks.ts';

/** The table of notifications. Each submission has its own notification. */
export const NOTIFICATIONS: NotificationTable = {
  table: 'submission',
  excludableColumns: ['id'],
  groupColumn: 'id',
};

/**
 * Claims due notifications. Resolves with one function per notification. The function updates the open view or sends a
 * direct message.
 */
export async function claimNotifications(
  context: SubmissionContext,
  freeSlots: number,
): Promise<(() => Promise<void>)[]> {
  const now = context.clock();
  const rows = await claimNotificationRows<SubmissionRow>(context.db, NOTIFICATIONS, {
    ...{ now, claimedUntil: addMs(now, computeClaimMs(context)), maxRows: freeSlots, maxGroups: freeSlots },
    excludedIds: context.exclusions.listIds(),
  });
  return rows.map((row) => () => notifyAuthor(context, row));
}

/** Computes how long a notification is claimed, ms. */
function computeClaimMs({ pace }: SubmissionContext): number {
  return pace.notifyMs * 2;
}

/** Sends a claimed notification once. If another instance began to send it, checks first whether the message exists. */
export async function notifyAuthor(context: SubmissionContext, row: SubmissionRow): Promise<void> {
  // The state was added in a newer version, whose instances send the notification.
  if (!isState(row.state))
    return context.exclusions.exclude(row.id, new Error(`unknown state "${row.state}"`));
  const client = await context.findSlackClient(row.workspace);
  // Without a client, the notification is claimed again after this claim has expired.
  if (!client || client === 'unknown') return;
  try {
    if (await updateOpenView(context, client, row)) await updateShownMessage(context, client, row);
    else await sendIfNotSent(context, client, row);
  } catch (error) {
    // After a temporary failure of Slack, the next claim retries. After other failures the author finds the result in
    // the outbox.
    if (isTransient(error) && context.clock().getTime() - row.changed_at.getTime() < context.pace.giveUpMs)
      return;
    context.log.warn({ submission: row.id, err: error }, 'could not notify the author of an outcome');
  }
  await closeNotification(context, row);
  context.onEnded({ workspace: row.workspace, user: row.author });
}

/** Shows all submissions of a form in the form's open view. Resolves with false if the view is closed. */
async function updateOpenView(
  context: SubmissionContext,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await listFormSubmissions(context.db, row);
  // The view already shows the refusal, because another row of the form updated it. A second update would erase the
  // author's changes.
  if (findCommonRefusal(context, rows) && rows.some(({ id, notify_at }) => id === row.id && !notify_at))
    return true;
  await context.pace.onCrashPoint?.('before-view');
  try {
    const form = await rebuildRefusedForm(context, rows);
    const view =
      form ??
      renderStateView(rows.map((formRow) => renderSubmission(context, formRow, createTextContext(context))));
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const formRow of rows) await closeNotification(context, formRow);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewGone(error)) context.log.warn({ view: row.view_id, err: error }, 'could not update a view');
    return false;
  }
}

/** Sends a claimed notification, unless an earlier claim has sent it. */
async function sendIfNotSent(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  const startedAt = row.notifying_since;
  const wasStartedBefore =
    startedAt !== null &&
    row.notify_at !== null &&
    row.notify_at.getTime() - startedAt.getTime() > computeClaimMs(context);
  const earlierMessage = wasStartedBefore
    ? await findNotification(context, client, row, startedAt)
    : undefined;
  if (earlierMessage) await recordNewMessage(context, client, row, earlierMessage);
  else await sendNotification(context, client, row);
}

/** Notifies the author at once, because the view or message couldn't be updated with the result. */
export async function sendNotificationNow(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  if (!row.notify_at) return;
  const notification = { ids: [row.id], notifyAt: row.notify_at };
  // An instance that claims the notification later checks first whether it was sent.
  const change = { notifyAt: row.notify_at, notifying_since: context.clock() };
  if (await postponeNotificationRows(context.db, NOTIFICATIONS.table, notification, change))
    await sendNotification(context, client, row);
}

async function sendNotification(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  await context.pace.onCrashPoint?.('before-message');
  const message = renderStateMessage(renderSubmission(context, row, createTextContext(context)));
  const metadata = {
    event_type: NOTIFICATION_EVENT,
    event_payload: { notification: computeNotificationKey(row) },
  };
  const response = await client.chat.postMessage({
    channel: row.author,
    ...disableParsing(message),
    metadata,
  });
  const address = messageAddress.safeParse(response).data;
  if (address) await recordNewMessage(context, client, row, address);
}

/** Closes the notification of a row, because the author was shown the row's state. */
export async function closeNotification({ db, clock }: SubmissionContext, row: SubmissionRow): Promise<void> {
  if (!row.notify_at) return;
  await closeNotificationRows(
    db,
    NOTIFICATIONS.table,
    { ids: [row.id], notifyAt: row.notify_at },
    { notified_at: clock() },
  );
}

/** Returns the first row's refusal if the service refused all rows of a form. Then the author sees the form again. */
export function findCommonRefusal(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
): ServiceRefusal | undefined {
  const [firstRow] = rows;
  return firstRow && rows.every(({ state }) => state === 'refused')
    ? openRefusal(context, firstRow)
    : undefined;
}

/**
 * Rebuilds the form of refused submissions from their rows, which works in any instance and at any later time. Resolves
 * with undefined if there is no form to rebuild.
 */
async function rebuildRefusedForm(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
): Promise<ModalView | undefined> {
  const [firstRow] = rows;
  const refusal = findCommonRefusal(context, rows);
  const kind = firstRow && context.findKind(firstRow.kind);
  if (!firstRow || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, isEmulated, log } = context;
  try {
    return await kind.rebuildForm({ db, encryption, isEmulated, now: context.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: firstRow.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
