import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { addMs } from '../engine/clock.ts';
import { claimNotifications as claimRows, postponeNotifications } from '../engine/sql/notifications.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { messageAddress } from '../slack/tell-once.ts';
import { clearPendingNotification, NOTIFICATIONS } from './deliveries.ts';
import { computeNotificationKey, findNotification, NOTIFICATION_EVENT } from './find-notification.ts';
import { recordNewMessage, updateShownMessage } from './shown-message.ts';
import { listFormSubmissions, type SubmissionRow } from './sql/submissions.ts';
import { isState } from './state-copy.ts';
import { decryptRefusal, type ServiceRefusal } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderStateMessage, renderStateView } from './text/state-blocks.ts';
import { renderSubmissionWithStop } from './text/stop-text.ts';

/** Claims due notifications. Resolves with one function per notification. Each function notifies one author. */
export async function claimNotifications(
  context: SubmissionContext,
  freeSlots: number,
): Promise<(() => Promise<void>)[]> {
  const now = context.clock();
  const rows = await claimRows<SubmissionRow>(context.db, NOTIFICATIONS, {
    now,
    claimedUntil: addMs(now, computeClaimDurationMs(context)),
    maxRows: freeSlots,
    maxGroups: freeSlots,
    excludedIds: context.exclusions.listIds(),
    marksStart: true,
  });
  return rows.map((row) => () => notifyAuthor(context, row));
}

/** Computes how long a notification is claimed. */
function computeClaimDurationMs({ pace }: SubmissionContext): number {
  return pace.notificationDelayMs * 2;
}

/** Notifies the author of a claimed row's state: updates the open view, or sends a direct message. */
export async function notifyAuthor(context: SubmissionContext, row: SubmissionRow): Promise<void> {
  // Only a newer version knows the state, so an instance of that version sends the notification.
  if (!isState(row.state))
    return context.exclusions.exclude(row.id, new Error(`unknown state "${row.state}"`));
  if (await context.takeOutcome(row)) return clearPendingNotification(context, row);
  const client = await context.findSlackClient(row.workspace);
  // The next claim retries.
  if (!client || client === 'unknown') return;
  try {
    if (await updateOpenView(context, client, row)) await updateShownMessage(context, client, row);
    else await sendIfNotSent(context, client, row);
  } catch (error) {
    // After a temporary failure, the next claim retries. After a permanent failure, the result is in the outbox.
    if (isTransient(error) && context.clock().getTime() - row.changed_at.getTime() < context.pace.giveUpMs)
      return;
    context.log.warn({ submission: row.id, err: error }, 'could not notify the author of an outcome');
  }
  await clearPendingNotification(context, row);
  context.onAuthorNotified({ workspace: row.workspace, user: row.author });
}

/** Shows a form's submissions in the open view. Resolves with false if the view is closed. */
async function updateOpenView(
  context: SubmissionContext,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await listFormSubmissions(context.db, row);
  // The notification of another row has already updated the view. A second update would erase the author's changes.
  if (findCommonRefusal(context, rows) && rows.some(({ id, notify_at }) => id === row.id && !notify_at))
    return true;
  await context.pace.onCrashPoint?.('before-view');
  try {
    const form = await rebuildRefusedForm(context, rows);
    const view =
      form ??
      renderStateView(await Promise.all(rows.map((formRow) => renderSubmissionWithStop(context, formRow))));
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const formRow of rows) await clearPendingNotification(context, formRow);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewChangedOrClosed(error))
      context.log.warn({ view: row.view_id, err: error }, 'could not update a view');
    return false;
  }
}

/** Sends a claimed notification, unless an earlier claim has sent the message. */
async function sendIfNotSent(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  const startedAt = row.notifying_since;
  const wasStartedBefore =
    startedAt !== null &&
    row.notify_at !== null &&
    row.notify_at.getTime() - startedAt.getTime() > computeClaimDurationMs(context);
  const earlierMessage = wasStartedBefore
    ? await findNotification(context, client, row, startedAt)
    : undefined;
  if (earlierMessage) await recordNewMessage(context, client, row, earlierMessage);
  else await sendNotification(context, client, row);
}

/** Notifies the author at once by direct message, because the result couldn't be shown elsewhere. */
export async function sendNotificationNow(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  if (!row.notify_at) return;
  const notification = { ids: [row.id], notifyAt: row.notify_at };
  // With `notifying_since`, the next claim first checks whether the message was sent.
  const change = { notify_at: row.notify_at, notifying_since: context.clock() };
  if (await postponeNotifications(context.db, NOTIFICATIONS.table, notification, change))
    await sendNotification(context, client, row);
}

async function sendNotification(
  context: SubmissionContext,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  await context.pace.onCrashPoint?.('before-message');
  const message = renderStateMessage(await renderSubmissionWithStop(context, row));
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

/** Returns the first row's refusal if all rows were refused. Otherwise returns undefined. */
export function findCommonRefusal(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
): ServiceRefusal | undefined {
  const [firstRow] = rows;
  return firstRow && rows.every(({ state }) => state === 'refused')
    ? decryptRefusal(context, firstRow)
    : undefined;
}

/**
 * Rebuilds the form of refused submissions. Works in any instance, because all values are stored. Resolves with
 * undefined if there is no form.
 */
async function rebuildRefusedForm(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
): Promise<ModalView | undefined> {
  const [firstRow] = rows;
  const refusal = findCommonRefusal(context, rows);
  const kind = firstRow && context.findKind(firstRow.kind);
  if (!firstRow || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, log } = context;
  try {
    return await kind.rebuildForm({ db, encryption, now: context.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: firstRow.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
