import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall, SubmissionResponse } from '../app/call.ts';
import { isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { clearPendingNotification } from './deliveries.ts';
import type { ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import { findCommonRefusal, sendNotificationNow } from './notify-author.ts';
import { saveAndSend } from './save-and-send.ts';
import { updateShownMessage } from './shown-message.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { ServiceRefusal } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderUnsavedMessage, renderUnsavedView, type UnsavedReason } from './text/not-saved.ts';
import { createTextContext, renderSubmission } from './text/render-submission.ts';
import { renderStateView } from './text/state-blocks.ts';

/** Functions for responses in a form, view or message. */
interface Responder {
  /** Responds in the acknowledgement. Resolves with false if the acknowledgement is too late. */
  acknowledge(response: SubmissionResponse): Promise<boolean>;
  /** The message that the form was opened from, if the message can be updated. */
  messageTs?: string;
  /**
   * Shows confirmed submissions in the form's channel. Resolves with false if Slack didn't accept the message in time.
   */
  sendReceipt?(rows: readonly SubmissionRow[], timeoutMs: number): Promise<boolean>;
  /** Replaces the view or message after the acknowledgement. */
  showLater(view: ModalView): Promise<void>;
  /** Returns errors by block id. Undefined if a problem belongs to no field. */
  getFieldErrors(refusal: ServiceRefusal): Record<string, string> | undefined;
  /**
   * Renders the form. Returns undefined if the submission is shown instead. `rebuilt`: another view has replaced the
   * form, so the fields get new block ids.
   */
  renderForm(reason: ServiceRefusal | UnsavedReason, mode: 'current' | 'rebuilt'): ModalView | undefined;
}

/** Minimum time for a receipt before the acknowledgement is due. With less time, the form shows the result. */
const MIN_RECEIPT_MS = 300;

/** Saves and sends submissions, and responds to the actor. */
export async function sendAndRespond<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  responder: Responder,
): Promise<void> {
  const { context } = call.context.submissions;
  const { pace } = context;
  const inFlight = await saveAndSend(context, kind, submissions);
  if (typeof inFlight === 'string')
    return respondToFailedSave(call, kind, { reason: inFlight, submissions, responder });
  const getRemainingMs = () =>
    Math.max(0, pace.acknowledgementTimeoutMs - (performance.now() - call.receivedAt));
  const earlyRows = await Promise.race([
    inFlight.attemptedRows,
    delay(getRemainingMs(), undefined, { ref: false }),
  ]);
  const rows = earlyRows ?? (await inFlight.readRows());
  const mayClose =
    earlyRows !== undefined &&
    kind.hasReceipt === true &&
    inFlight.equalIds.size === 0 &&
    rows.every(({ state }) => state === 'confirmed');
  // If the process ends after the receipt, the pending notification shows the result in the view, which is still open.
  const isShownOutside =
    mayClose &&
    (rows.every(({ message_ts }) => message_ts !== null && message_ts === responder.messageTs) ||
      (rows.every(({ message_ts }) => message_ts === null) &&
        getRemainingMs() > MIN_RECEIPT_MS &&
        (await responder.sendReceipt?.(rows, getRemainingMs()))));
  const response: SubmissionResponse = isShownOutside
    ? { close: true }
    : earlyRows
      ? createResponse(context, rows, responder, inFlight.equalIds)
      : { view: renderView(context, rows, inFlight.equalIds) };
  const isAcknowledged = await responder
    .acknowledge(response)
    .catch(createFailureLogger(call, 'acknowledgement'));
  await pace.onCrashPoint?.('after-acknowledgement');
  if (earlyRows && isAcknowledged) return showInMessages(call, earlyRows);

  // The result is also shown after a lost acknowledgement. Otherwise the author might submit the post again.
  const [attemptedRows] = await Promise.all([inFlight.attemptedRows, delay(pace.afterAcknowledgementMs)]);
  await pace.onCrashPoint?.('before-view');
  // The poll may have changed the rows meanwhile.
  const currentRows = await inFlight.readRows();
  const refusal = findCommonRefusal(context, currentRows);
  const view =
    (refusal && responder.renderForm(refusal, 'rebuilt')) ??
    renderView(context, currentRows, inFlight.equalIds);
  const isShown = await responder.showLater(view).then(() => true, createFailureLogger(call, 'view'));
  if (isShown) return showInMessages(call, currentRows);
  // Other requests send the notifications about the other rows.
  const rowsToNotify = attemptedRows.filter((row) => row.notify_at !== null && inFlight.ownIds.has(row.id));
  for (const row of rowsToNotify) await sendNotificationNow(context, call.client, row);
  await clearPendingNotifications(context, rowsToNotify);
}

/** Creates the response: field errors, the form, or a view of the submissions. */
function createResponse(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
  responder: Responder,
  equalIds: ReadonlySet<string>,
): SubmissionResponse {
  const refusal = findCommonRefusal(context, rows);
  if (!refusal) return { view: renderView(context, rows, equalIds) };
  const errors = responder.getFieldErrors(refusal);
  if (errors) return { errors };
  const form = responder.renderForm(refusal, 'current');
  return { view: form ?? renderView(context, rows) };
}

const SENT_BEFORE_TEXT = 'You’ve already sent this. Here’s its status.';

function renderView(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
  equalIds: ReadonlySet<string> = new Set(),
): ModalView {
  const equalRow = rows.find(({ id }) => equalIds.has(id));
  const submissions = rows.map((row) => renderSubmission(context, row, createTextContext(context)));
  return renderStateView(submissions, equalRow && { id: equalRow.id, note: SENT_BEFORE_TEXT });
}

/**
 * Updates the messages that show the rows, except the message whose button was pressed, and clears the rows'
 * pending notifications. If Slack doesn't accept an update, the notification stays due and updates the message later.
 */
async function showInMessages(
  call: SubmissionCall | ActionCall,
  rows: readonly SubmissionRow[],
): Promise<void> {
  const { context } = call.context.submissions;
  const pressedTs = 'message' in call ? call.message?.ts : undefined;
  const updatedTs = new Set([pressedTs]);
  for (const row of rows) {
    const isUpdated =
      updatedTs.has(row.message_ts ?? undefined) ||
      (await updateShownMessage(context, call.client, row).then(
        () => true,
        createFailureLogger(call, 'message'),
      ));
    if (!isUpdated) continue;
    updatedTs.add(row.message_ts ?? undefined);
    await clearPendingNotification(context, row);
  }
}

async function clearPendingNotifications(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
): Promise<void> {
  for (const row of rows) await clearPendingNotification(context, row);
}

/** Responds after a failed or uncertain save. Shows the whole text, because it may be stored nowhere else. */
async function respondToFailedSave<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  {
    reason,
    submissions,
    responder,
  }: { reason: UnsavedReason; submissions: readonly ReceivedSubmission<Content>[]; responder: Responder },
): Promise<void> {
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  const renderUnsaved = (mode: 'current' | 'rebuilt') =>
    responder.renderForm(reason, mode) ?? renderUnsavedView(reason, texts);
  if (
    await responder
      .acknowledge({ view: renderUnsaved('current') })
      .catch(createFailureLogger(call, 'acknowledgement'))
  )
    return;
  await delay(call.context.submissions.context.pace.afterAcknowledgementMs);
  if (await responder.showLater(renderUnsaved('rebuilt')).then(() => true, createFailureLogger(call, 'view')))
    return;
  await call.client.chat.postMessage({ channel: call.actor.user, ...renderUnsavedMessage(reason, texts) });
}

/** Creates an error handler for failed responses. The handler logs the error and returns false. */
function createFailureLogger(call: SubmissionCall | ActionCall, responseKind: string) {
  return (error: unknown) => {
    if (!isViewChangedOrClosed(error)) {
      call.log.warn(
        { reference: call.reference, response: responseKind, err: error },
        'could not deliver the response',
      );
    }
    return false;
  };
}
