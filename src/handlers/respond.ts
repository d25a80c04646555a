import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import type { MessageAddress } from '../slack/tell-once.ts';
import type { ServiceRefusal } from '../submissions/content.ts';
import { clearPendingNotification } from '../submissions/deliveries.ts';
import { computeHashColumns, type ReceivedSubmission } from '../submissions/fingerprint.ts';
import type { SubmissionKind } from '../submissions/kind.ts';
import { notifyNow } from '../submissions/notify-author.ts';
import { type SubmissionsInFlight, saveAndSend } from '../submissions/save-and-send.ts';
import { loadShown, type Shown, updateShownMessage } from '../submissions/shown.ts';
import type { Companion } from '../submissions/sql/insert.ts';
import { findNewestSubmission } from '../submissions/sql/submissions.ts';
import { ENDED_UNSENT_STATES, type SubmissionRow } from '../submissions/submission.ts';
import type { SubmissionContext } from '../submissions/submission-context.ts';
import {
  addUnsavedTexts,
  renderDoneView,
  renderReceipt,
  renderStateView,
  renderUnsavedMessage,
  toMessage,
  type UnsavedReason,
} from '../submissions/text/state-blocks.ts';
import { within } from '../within.ts';
import type { SubmissionCall, SubmissionResponse } from './call.ts';

/** A submitted form. */
interface SubmittedForm<Content> {
  /** The form's id. For an edit, the id of the edited submission. */
  formId: string;
  channel?: string;
  /** The message that shows the post, if it can be updated. */
  message?: MessageAddress;
  /** The content for each publishing time. Each entry becomes a submission. */
  contents: readonly Content[];
  form: FormRenderer;
}

/** The form of submissions. */
interface FormRenderer {
  /** Returns errors by block id. Undefined if a problem belongs to no field. Pure. */
  getFieldErrors(refusal: ServiceRefusal): Record<string, string> | undefined;
  /**
   * Renders the form with the submitted values and the problem. Pure. `rebuilt`: another view has replaced the form, so
   * the fields get new block ids.
   */
  renderForm(reason: ServiceRefusal | UnsavedReason, mode: 'current' | 'rebuilt'): ModalView;
  /** Stores what was typed, because the form stays open. Doesn't reject. */
  keepTyped?(): Promise<void>;
  /** Ends what was typed in the statement that stores a single submission. */
  typedEnd?: Companion | undefined;
}

/**
 * Where the contents of a form are now. `confirmed`: at the service. `saved`: in submissions. `form-shown`: only in the form,
 * because they couldn't be saved, or in a form that shows the service's refusal. If the form was closed before the refusal,
 * they are `saved`.
 */
type FormResult = 'confirmed' | 'saved' | 'form-shown';

/** How the actor gets a response. None of the functions rejects. */
interface Responder extends FormRenderer {
  /** Responds in the acknowledgement. Resolves with false if the acknowledgement is too late. */
  acknowledge(response: SubmissionResponse): Promise<boolean>;
  /** Replaces the view after the acknowledgement. Resolves with false if that failed. */
  showLater(view: ModalView): Promise<boolean>;
  /** The message that the form was opened from, if the message can be updated. */
  messageTs?: string;
  /** The channel for the receipt of confirmed submissions. Absent if the form was opened at Home. */
  receiptChannel?: string;
}

/** Handles a submitted form: saves and sends the submissions, and responds to the actor. */
export async function respondToForm<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  submittedForm: SubmittedForm<Content>,
): Promise<FormResult> {
  const { formId, form, contents, channel, message } = submittedForm;
  await requireRoles(call, kind, contents).catch(async (error: unknown) => {
    // The form is still open, below the view that says so.
    await form.keepTyped?.();
    throw error;
  });
  const received = { origin: formId, channel, message, contents };
  const submissions = createReceivedSubmissions(call, received);
  const responder: Responder = {
    acknowledge: (response) => call.answer(response).catch(createFailureLogger(call, 'acknowledgement')),
    showLater: (view) =>
      call.client.views
        .update({ view_id: call.view.id, view })
        .then(() => true, createFailureLogger(call, 'view')),
    ...(message && { messageTs: message.ts }),
    ...(channel !== undefined && { receiptChannel: channel }),
    ...form,
  };
  return sendAndRespond(call, kind, submissions, responder);
}

/** Checks the actor's role for each submission. The required role depends on the content. */
async function requireRoles<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  contents: readonly Content[],
): Promise<void> {
  for (const content of contents) {
    await call.permit(kind.getRole(content), kind.getProject(content)?.id, `send ${kind.name}`);
  }
}

function createReceivedSubmissions<Content>(
  call: SubmissionCall,
  submission: {
    origin: string;
    channel?: string | undefined;
    message?: MessageAddress | undefined;
    contents: readonly Content[];
  },
): ReceivedSubmission<Content>[] {
  return submission.contents.map((content, index) => ({
    workspace: call.actor.workspace,
    author: call.actor.user,
    origin: submission.origin,
    item: index,
    ...(submission.channel !== undefined && { channel: submission.channel }),
    ...(call.trigger !== undefined && { trigger: call.trigger }),
    ...(call.sentAt && { sentAt: call.sentAt }),
    viewId: call.view.id,
    ...(submission.message && { message: submission.message }),
    content,
  }));
}

/** Minimum time for a receipt before the acknowledgement is due. With less time, the form shows the result. */
const MIN_RECEIPT_MS = 300;

/** Computes the time until the acknowledgement is due. */
function computeRemainingMs({ context, receivedAt }: SubmissionCall): number {
  const { acknowledgementTimeoutMs } = context.submissions.context.pace;
  return Math.max(0, acknowledgementTimeoutMs - (performance.now() - receivedAt));
}

/** Saves and sends submissions, and responds to the actor. */
async function sendAndRespond<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  responder: Responder,
): Promise<FormResult> {
  const { context } = call.context.submissions;
  const { pace } = context;
  const companions = [call.entry, responder.typedEnd].filter((companion) => companion !== undefined);
  const inFlight = await saveAndSend(context, kind, submissions, { isInRequest: true, companions });
  // The entry wasn't stored with several submissions or with an edit. It is added now, because the service may be slow.
  call.entry?.enqueue();
  if (typeof inFlight === 'string') {
    await respondToFailedSave(call, kind, { reason: inFlight, submissions, responder });
    return 'form-shown';
  }
  const earlyRows = await within(computeRemainingMs(call), inFlight.attemptedRows);
  const early = await loadResult(context, earlyRows ?? (await inFlight.readRows()));
  // A refusal of rows that are still being sent is shown when they have been sent.
  const refusal = earlyRows && early.refusal;
  const needsNoView =
    earlyRows !== undefined &&
    kind.hasReceipt === true &&
    isAllConfirmed(early.rows) &&
    inFlight.duplicateIds.size === 0 &&
    inFlight.unsavedTexts.length === 0;
  const isInItsMessage = early.rows.every(
    ({ message_ts }) => message_ts !== null && message_ts === responder.messageTs,
  );
  const receipt =
    needsNoView && !isInItsMessage ? await sendReceipt(call, early, responder.receiptChannel) : undefined;
  const isShownInMessage = needsNoView && (isInItsMessage || receipt !== undefined);
  // Before the response: what is typed after it is newer.
  if (refusal) await responder.keepTyped?.();
  const isAcknowledged = await responder.acknowledge(
    isShownInMessage ? { close: true } : createResponse({ ...early, refusal }, inFlight, responder),
  );
  await pace.onCrashPoint?.('after-acknowledgement');
  if (isShownInMessage && !isAcknowledged) {
    // Slack didn't close the form, because its acknowledgement was late.
    await delay(pace.afterAcknowledgementMs);
    await responder.showLater(renderDoneView(early.submissions));
  }
  if (isShownInMessage || (earlyRows && isAcknowledged)) {
    if (receipt !== 'cleared') await showInMessages(call, early.rows);
    return refusal ? 'form-shown' : isAllConfirmed(early.rows) ? 'confirmed' : 'saved';
  }

  // The result is also shown after a lost acknowledgement. Otherwise the author might submit the post again.
  const [attemptedRows] = await Promise.all([inFlight.attemptedRows, delay(pace.afterAcknowledgementMs)]);
  await pace.onCrashPoint?.('before-view');
  // The poll may have changed the rows meanwhile.
  const late = await loadResult(context, await inFlight.readRows());
  const view = renderResult(late, inFlight, responder, 'rebuilt');
  if (!(await responder.showLater(view))) {
    await sendNotifications(call, attemptedRows, inFlight, view);
    // A refused post is in the notification, with buttons of its own.
    return 'saved';
  }
  if (late.refusal && !refusal) await responder.keepTyped?.();
  await showInMessages(call, late.rows);
  return late.refusal ? 'form-shown' : 'saved';
}

/** Loads the result of a form, with the buttons that the actor may press. */
function loadResult(context: SubmissionContext, rows: readonly SubmissionRow[]): Promise<Shown> {
  return loadShown(context, rows, {
    areButtonsForAll: rows.length > 1 && isAllConfirmed(rows),
  });
}

const isAllConfirmed = (rows: readonly SubmissionRow[]) => rows.every(({ state }) => state === 'confirmed');

/** Creates the response: field errors, the form, or a view of the submissions. Pure. */
function createResponse(shown: Shown, inFlight: SubmissionsInFlight, form: FormRenderer): SubmissionResponse {
  const errors = shown.refusal && form.getFieldErrors(shown.refusal);
  return errors ? { errors } : { view: renderResult(shown, inFlight, form, 'current') };
}

const SENT_BEFORE_TEXT = 'You’ve already sent this. Here’s its status.';

/** Renders the form of refused submissions, or else the submissions. Pure. */
function renderResult(
  { rows, submissions, refusal }: Shown,
  { duplicateIds, unsavedTexts }: SubmissionsInFlight,
  { renderForm }: FormRenderer,
  mode: 'current' | 'rebuilt',
): ModalView {
  if (refusal) return renderForm(refusal, mode);
  const duplicateRow = rows.find(({ id }) => duplicateIds.has(id));
  const view = renderStateView(submissions, duplicateRow && { id: duplicateRow.id, note: SENT_BEFORE_TEXT });
  return unsavedTexts.length === 0 ? view : addUnsavedTexts(view, unsavedTexts);
}

/**
 * Sends the receipt, an ephemeral message where the form was opened, and then clears the pending notifications, so that
 * the author reads the result only once. If the process ends in between, or Slack answers too late, the author may read
 * the result in the form too, because two results are better than none. Resolves with whether the notifications are
 * cleared, or undefined if the form has to show the result: for example, commands also work in channels without the bot.
 */
async function sendReceipt(
  call: SubmissionCall,
  { rows, submissions }: Shown,
  channel: string | undefined,
): Promise<'cleared' | 'sent' | undefined> {
  const { context } = call.context.submissions;
  const isInMessage = rows.some(({ message_ts }) => message_ts !== null);
  if (isInMessage || channel === undefined || computeRemainingMs(call) <= MIN_RECEIPT_MS) return undefined;
  await context.pace.onCrashPoint?.('before-receipt');
  const message = call.sealButtons(renderReceipt(submissions));
  if (!(await sendEphemeral(call, channel, message, computeRemainingMs(call)))) return undefined;
  const clearing = Promise.all(rows.map((row) => clearPendingNotification(context, row)));
  const areCleared = await within(
    computeRemainingMs(call),
    clearing.then(() => true, createFailureLogger(call, 'receipt')),
  );
  await context.pace.onCrashPoint?.('after-receipt');
  return areCleared ? 'cleared' : 'sent';
}

/** Sends a receipt to the actor only. Resolves with false if Slack didn't accept it in time. */
export async function sendEphemeral(
  call: SubmissionCall,
  channel: string,
  message: Message,
  timeoutMs: number,
): Promise<boolean> {
  const send = async () => {
    try {
      await call.client.chat.postEphemeral({ channel, user: call.actor.user, ...disableParsing(message) });
      return true;
    } catch (error) {
      const reason = getSlackErrorCode(error);
      call.log.info({ reference: call.reference, reason }, 'could not send a receipt');
      return false;
    }
  };
  return within(timeoutMs, send(), false);
}

/**
 * Updates the messages that show the rows, and clears the rows' pending notifications. If Slack doesn't accept an update, the notification stays due and updates the message later.
 */
async function showInMessages(call: SubmissionCall, rows: readonly SubmissionRow[]): Promise<void> {
  const { context } = call.context.submissions;
  const updatedTs = new Set<string | undefined>();
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

/** Lets the notifier tell the result, because no view could show it. */
async function sendNotifications(
  call: SubmissionCall,
  rows: readonly SubmissionRow[],
  { insertedIds, unsavedTexts }: SubmissionsInFlight,
  view: ModalView,
): Promise<void> {
  // What isn't saved would be nowhere otherwise.
  if (unsavedTexts.length > 0)
    await call.client.chat.postMessage({ channel: call.actor.user, ...disableParsing(toMessage(view)) });
  // Other requests send the notifications about the other rows.
  for (const row of rows) if (insertedIds.has(row.id)) await notifyNow(call.context.submissions.context, row);
}

/** Responds after a failed or uncertain save. Shows the whole text, because it may be stored nowhere else. */
export async function respondToFailedSave<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  {
    reason,
    submissions,
    responder,
  }: { reason: UnsavedReason; submissions: readonly ReceivedSubmission<Content>[]; responder: Responder },
): Promise<void> {
  const { context } = call.context.submissions;
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  const message = renderUnsavedMessage(reason, texts);
  // The database may not respond.
  await within(computeRemainingMs(call), Promise.resolve(responder.keepTyped?.()));
  if (await responder.acknowledge({ view: responder.renderForm(reason, 'current') })) return;
  await delay(context.pace.afterAcknowledgementMs);
  if (await responder.showLater(responder.renderForm(reason, 'rebuilt'))) return;
  // The view is closed, perhaps because another press of the same form has been saved meanwhile.
  if (reason === 'not-saved' && (await areSavedByNow(context, kind, submissions))) return;
  await call.client.chat.postMessage({ channel: call.actor.user, ...message });
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

/** Creates an error handler for failed responses. The handler logs the error and returns false. */
function createFailureLogger(call: SubmissionCall, responseKind: string) {
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
