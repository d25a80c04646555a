import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall, SubmissionResponse } from '../app/call.ts';
import { disableParsing } from '../slack/message.ts';
import { isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { within } from '../within.ts';
import type { ServiceRefusal } from './content.ts';
import { clearPendingNotification } from './deliveries.ts';
import { computeHashColumns, type ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import { findCommonRefusal, notifyNow } from './notify-author.ts';
import { type SubmissionsInFlight, saveAndSend } from './save-and-send.ts';
import { updateShownMessage } from './shown-message.ts';
import { findNewestSubmission } from './sql/submissions.ts';
import { ENDED_UNSENT_STATES, type SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import {
  addUnsavedTexts,
  renderUnsavedMessage,
  renderUnsavedView,
  type UnsavedReason,
} from './text/not-saved.ts';
import { renderDoneView } from './text/outdated-messages.ts';
import { renderStateView, toMessage } from './text/state-blocks.ts';
import { renderSubmissionWithStop } from './text/stop-text.ts';

/** Functions for responses in a form, view or message. */
interface Responder {
  /** Responds in the acknowledgement. Resolves with false if the acknowledgement is too late. */
  acknowledge(response: SubmissionResponse): Promise<boolean>;
  /** Whether the actor may choose that posts of the project stay editable. Defaults to false. */
  mayKeepEditable?: boolean;
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
   * Renders the form. Returns undefined if the caller must show the submission instead. `rebuilt`: another view has replaced the
   * form, so the fields get new block ids.
   */
  renderForm(reason: ServiceRefusal | UnsavedReason, mode: 'current' | 'rebuilt'): ModalView | undefined;
}

/** A responder that never rejects. */
interface SafeResponder extends Omit<Responder, 'showLater'> {
  /** Replaces the view or message after the acknowledgement. Resolves with false if that failed. */
  showLater(view: ModalView): Promise<boolean>;
}

/** Minimum time for a receipt before the acknowledgement is due. With less time, the form shows the result. */
const MIN_RECEIPT_MS = 300;

/** Saves and sends submissions, and responds to the actor. */
export async function sendAndRespond<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  unsafeResponder: Responder,
): Promise<void> {
  const { context } = call.context.submissions;
  const { pace } = context;
  const responder = createSafeResponder(call, unsafeResponder);
  const inFlight = await saveAndSend(context, kind, submissions);
  if (typeof inFlight === 'string')
    return respondToFailedSave(call, kind, { reason: inFlight, submissions, responder });
  const getRemainingMs = () =>
    Math.max(0, pace.acknowledgementTimeoutMs - (performance.now() - call.receivedAt));
  const earlyRows = await within(getRemainingMs(), inFlight.attemptedRows);
  const rows = earlyRows ?? (await inFlight.readRows());
  const mayClose =
    earlyRows !== undefined &&
    kind.hasReceipt === true &&
    inFlight.duplicateIds.size === 0 &&
    inFlight.unsavedTexts.length === 0 &&
    rows.every(({ state }) => state === 'confirmed');
  const isShownInMessage =
    mayClose &&
    (rows.every(({ message_ts }) => message_ts !== null && message_ts === responder.messageTs) ||
      (await sendReceipt(call, rows, responder, getRemainingMs)));
  const response: SubmissionResponse = isShownInMessage
    ? { close: true }
    : earlyRows
      ? await createResponse(context, rows, responder, inFlight)
      : { view: await renderView(context, rows, responder, inFlight) };
  const isAcknowledged = await responder.acknowledge(response);
  await pace.onCrashPoint?.('after-acknowledgement');
  if (earlyRows && isAcknowledged) return showInMessages(call, earlyRows);
  if (isShownInMessage) return replaceOpenForm(call, rows, responder);

  // The result is also shown after a lost acknowledgement. Otherwise the author might submit the post again.
  const [attemptedRows] = await Promise.all([inFlight.attemptedRows, delay(pace.afterAcknowledgementMs)]);
  await pace.onCrashPoint?.('before-view');
  // The poll may have changed the rows meanwhile.
  const currentRows = await inFlight.readRows();
  const refusal = findCommonRefusal(context, currentRows);
  const view =
    (refusal && responder.renderForm(refusal, 'rebuilt')) ??
    (await renderView(context, currentRows, responder, inFlight));
  if (await responder.showLater(view)) return showInMessages(call, currentRows);
  // Otherwise what isn't saved would be nowhere.
  if (inFlight.unsavedTexts.length > 0)
    await call.client.chat.postMessage({ channel: call.actor.user, ...disableParsing(toMessage(view)) });
  // Other requests send the notifications about the other rows.
  const rowsToNotify = attemptedRows.filter(
    (row) => row.notify_at !== null && inFlight.insertedIds.has(row.id),
  );
  for (const row of rowsToNotify) await notifyNow(context, row);
}

/** Responds after a failed or uncertain save. Shows the whole text, because it may be stored nowhere else. */
export async function respondToFailedSave<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  {
    reason,
    submissions,
    responder,
  }: { reason: UnsavedReason; submissions: readonly ReceivedSubmission<Content>[]; responder: SafeResponder },
): Promise<void> {
  const { context } = call.context.submissions;
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  const renderUnsaved = (mode: 'current' | 'rebuilt') =>
    responder.renderForm(reason, mode) ?? renderUnsavedView(reason, texts);
  if (await responder.acknowledge({ view: renderUnsaved('current') })) return;
  await delay(context.pace.afterAcknowledgementMs);
  if (await responder.showLater(renderUnsaved('rebuilt'))) return;
  // The view is closed, perhaps because another press of the same form has been saved meanwhile.
  if (reason === 'not-saved' && (await areSavedByNow(context, kind, submissions))) return;
  await call.client.chat.postMessage({ channel: call.actor.user, ...renderUnsavedMessage(reason, texts) });
}

/** Whether equal submissions of the same form are stored and not refused. False also if the database doesn't respond. */
async function areSavedByNow<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
): Promise<boolean> {
  // The fingerprint of such a kind contains only what is changed, and not to what.
  if (kind.unknownOutcome.strategy === 'repeat') return false;
  const isSaved = async (submission: ReceivedSubmission<Content>) => {
    const row = await findNewestSubmission(context.db, submission);
    if (!row || ENDED_UNSENT_STATES.includes(row.state)) return false;
    return row.fingerprint === (await computeHashColumns(context, kind, submission)).fingerprint;
  };
  const results = await Promise.all(submissions.map(isSaved)).catch(() => [false]);
  return results.every(Boolean);
}

/**
 * Sends the receipt, and then clears the pending notifications, so that the author reads the result only once. If the
 * process ends in between, or Slack answers too late, the author may read the result in the form too, because two
 * results are better than none. Resolves with false if the form has to show the result.
 */
async function sendReceipt(
  call: SubmissionCall | ActionCall,
  rows: readonly SubmissionRow[],
  responder: SafeResponder,
  getRemainingMs: () => number,
): Promise<boolean> {
  const { context } = call.context.submissions;
  const isInMessage = rows.some(({ message_ts }) => message_ts !== null);
  if (isInMessage || !responder.sendReceipt || getRemainingMs() <= MIN_RECEIPT_MS) return false;
  await context.pace.onCrashPoint?.('before-receipt');
  if (!(await responder.sendReceipt(rows, getRemainingMs()))) return false;
  const clearing = clearPendingNotifications(context, rows).catch(createFailureLogger(call, 'receipt'));
  await within(getRemainingMs(), clearing);
  await context.pace.onCrashPoint?.('after-receipt');
  return true;
}

/** Replaces a form that Slack didn't close, because its acknowledgement was late. The result is shown elsewhere. */
async function replaceOpenForm(
  call: SubmissionCall | ActionCall,
  rows: readonly SubmissionRow[],
  responder: SafeResponder,
): Promise<void> {
  const { context } = call.context.submissions;
  await delay(context.pace.afterAcknowledgementMs);
  const submissions = await Promise.all(rows.map((row) => renderSubmissionWithStop(context, row)));
  await responder.showLater(renderDoneView(submissions));
  await showInMessages(call, rows);
}

/** Creates the response: field errors, the form, or a view of the submissions. */
async function createResponse(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
  responder: SafeResponder,
  inFlight: RenderedInFlight,
): Promise<SubmissionResponse> {
  const refusal = findCommonRefusal(context, rows);
  if (!refusal) return { view: await renderView(context, rows, responder, inFlight) };
  const errors = responder.getFieldErrors(refusal);
  if (errors) return { errors };
  const form = responder.renderForm(refusal, 'current');
  return {
    view: form ?? (await renderView(context, rows, responder, { ...inFlight, duplicateIds: new Set() })),
  };
}

type RenderedInFlight = Pick<SubmissionsInFlight, 'duplicateIds' | 'unsavedTexts'>;

const SENT_BEFORE_TEXT = 'You’ve already sent this. Here’s its status.';

async function renderView(
  context: SubmissionContext,
  rows: readonly SubmissionRow[],
  { mayKeepEditable }: SafeResponder,
  { duplicateIds, unsavedTexts }: RenderedInFlight,
): Promise<ModalView> {
  const duplicateRow = rows.find(({ id }) => duplicateIds.has(id));
  const areButtonsForAll = rows.length > 1 && rows.every(({ state }) => state === 'confirmed');
  const submissions = await Promise.all(
    rows.map((row) => renderSubmissionWithStop(context, row, { areButtonsForAll, mayKeepEditable })),
  );
  const view = renderStateView(submissions, duplicateRow && { id: duplicateRow.id, note: SENT_BEFORE_TEXT });
  return unsavedTexts.length === 0 ? view : addUnsavedTexts(view, unsavedTexts);
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
  await Promise.all(rows.map((row) => clearPendingNotification(context, row)));
}

/** Creates a responder whose failures are logged and returned as false. */
function createSafeResponder(call: SubmissionCall | ActionCall, responder: Responder): SafeResponder {
  return {
    ...responder,
    acknowledge: (response) =>
      responder.acknowledge(response).catch(createFailureLogger(call, 'acknowledgement')),
    showLater: (view) => responder.showLater(view).then(() => true, createFailureLogger(call, 'view')),
  };
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
