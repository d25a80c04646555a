import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { SubmissionCall, SubmissionResponse } from '../handlers/call.ts';
import { LIMITS } from '../slack/limits.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { isDatabaseFailure } from '../store/database-unavailable.ts';
import { clearPendingNotification } from '../submissions/deliveries.ts';
import { computeHashColumns, type ReceivedSubmission } from '../submissions/fingerprint.ts';
import type { AnyKind } from '../submissions/kind.ts';
import type { SubmissionsInFlight } from '../submissions/save-and-send.ts';
import { loadShown, type Shown, updateShownMessage } from '../submissions/shown.ts';
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
import type { SubmittedForm } from './current-form.ts';
import type { Form, ReceiptOffer } from './form.ts';
import { findFieldErrors, renderRefusedAgain } from './form-view.ts';

interface ShownResult {
  /**
   * Where the contents of the form are now. `confirmed`: at the service before the acknowledgement. `saved`: in
   * submissions, or sent since. `form-shown`: in a form that shows the service's refusal. If the form was closed before
   * the refusal, they are `saved`.
   */
  place: 'confirmed' | 'saved' | 'form-shown';
  /** The rows whose messages this request has to update. */
  rows: readonly SubmissionRow[];
}

/** Renders what a receipt offers besides. `id`: that of the first submission. */
type RenderOffer = (id: string) => Promise<ReceiptOffer | undefined>;

/** Shows the actor what becomes of saved submissions: in the acknowledgement, or in the view once they are sent. */
export async function showResult(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  {
    kind,
    inFlight,
    renderOffer,
  }: {
    kind: AnyKind;
    inFlight: SubmissionsInFlight;
    renderOffer: RenderOffer;
  },
): Promise<ShownResult> {
  const { context } = call.context.submissions;
  const { pace } = context;
  const earlyRows = await call.inTime(inFlight.attemptedRows);
  const shownOptions = { posts: inFlight.posts, isRowEnough: true };
  const early = await loadShown(context, earlyRows ?? (await inFlight.readRows()), shownOptions);
  const areNewAndConfirmed = isAllConfirmed(early.rows) && inFlight.savedBeforeIds.size === 0;
  if (earlyRows && kind.hasReceipt && areNewAndConfirmed && inFlight.unsavedTexts.length === 0) {
    const rows = await closeForm(call, submitted, early, renderOffer);
    if (rows) return { place: 'confirmed', rows };
  }
  // A refusal of rows that are still being sent is shown when they have been sent.
  const refusal = earlyRows && early.refusal;
  // Before the response: what is typed after it is newer. The database may not respond.
  if (refusal) await call.inTime(keepTyped(call, submitted));
  const errors = refusal && findFieldErrors(form, submitted, refusal);
  const isAcknowledged = await acknowledge(
    call,
    errors ? { errors } : { view: renderResult(form, submitted, { ...early, refusal }, inFlight, 'current') },
  );
  if (earlyRows && isAcknowledged) {
    const place = isAllConfirmed(early.rows) ? 'confirmed' : 'saved';
    return { place: refusal ? 'form-shown' : place, rows: early.rows };
  }
  // The result is also shown after a lost acknowledgement. Otherwise the author might submit the post again.
  await Promise.all([inFlight.attemptedRows, delay(pace.afterAcknowledgementMs)]);
  await pace.onCrashPoint?.('before-view');
  // The poll may have changed the rows meanwhile.
  const late = await loadShown(context, await inFlight.readRows(), shownOptions);
  const lateView = renderResult(form, submitted, late, inFlight, 'rebuilt');
  if (late.refusal && !refusal) await keepTyped(call, submitted);
  const isShown = await replaceView(call, lateView);
  if (!isShown) await notifySoon(call, inFlight, lateView);
  return {
    // A refused post that no view shows is in the notification, with buttons of its own.
    place: isShown && late.refusal ? 'form-shown' : 'saved',
    rows: isShown ? late.rows : [],
  };
}

/** Stores again what was typed. The answer stays true without it, so a failure isn't the form's. */
export async function keepTyped(call: SubmissionCall, submitted: SubmittedForm): Promise<void> {
  await submitted
    .storeChange({ typed: 'keep' })
    .catch((err: unknown) =>
      call.log.warn({ reference: call.reference, err }, 'could not store what was typed'),
    );
}

const isAllConfirmed = (rows: readonly SubmissionRow[]) => rows.every(({ state }) => state === 'confirmed');

const SENT_BEFORE_TEXT = 'You’ve already sent this. Here’s its status.';

/** Renders the form of refused submissions, or else the submissions. Pure. */
function renderResult(
  form: Form,
  submitted: SubmittedForm,
  { rows, submissions, refusal }: Shown,
  { savedBeforeIds, unsavedTexts }: SubmissionsInFlight,
  mode: 'current' | 'rebuilt',
): ModalView {
  if (refusal) return renderRefusedAgain(form, submitted, refusal, mode);
  const earlierRow = rows.find(({ id }) => savedBeforeIds.has(id));
  const press = earlierRow && { id: earlierRow.id, note: SENT_BEFORE_TEXT };
  if (unsavedTexts.length === 0) return renderStateView(submissions, press);
  // A message shows it if the form is closed. Two blocks come before the texts.
  const maxBlocks = LIMITS.messageBlocks - 2 - new Set(unsavedTexts).size;
  const isSent = rows.every(({ state }) => state !== 'discarded');
  return addUnsavedTexts(renderStateView(submissions, press, maxBlocks), unsavedTexts, isSent);
}

/**
 * Closes the form. Its result is in the message that it was opened from, or in a receipt. Resolves with the rows whose
 * messages have to be updated. Undefined, and the form stays open, if there can't be a receipt: for example, commands also
 * work in channels without the bot.
 */
async function closeForm(
  call: SubmissionCall,
  { stored: { channel, message } }: SubmittedForm,
  shown: Shown,
  renderOffer: RenderOffer,
): Promise<readonly SubmissionRow[] | undefined> {
  const isInItsMessage = shown.rows.every(
    ({ message_ts }) => message_ts !== null && message_ts === message?.ts,
  );
  const rows = isInItsMessage ? shown.rows : await showReceipt(call, { ...shown, renderOffer }, channel);
  if (!rows || (await acknowledge(call, { close: true }))) return rows;
  // Slack didn't close the form, because its acknowledgement was late.
  await delay(call.context.pace.afterAcknowledgementMs);
  await replaceView(call, renderDoneView(shown.submissions));
  return rows;
}

/** Minimum time for a receipt before the acknowledgement is due. With less time, the form shows the result. */
export const MIN_RECEIPT_MS = 300;

/**
 * Sends the receipt, an ephemeral message where the form was opened, and then clears the pending notifications, so that
 * the author reads the result only once. If the process ends in between, or Slack answers too late, the author may read
 * the result in the form too, because two results are better than none. Resolves with the rows whose notifications aren't
 * cleared. Undefined if the receipt wasn't sent.
 */
async function showReceipt(
  call: SubmissionCall,
  { rows, submissions, renderOffer }: Shown & { renderOffer: RenderOffer },
  channel: string | undefined,
): Promise<readonly SubmissionRow[] | undefined> {
  const { context } = call.context.submissions;
  const isInMessage = rows.some(({ message_ts }) => message_ts !== null);
  if (isInMessage || channel === undefined) return undefined;
  await context.pace.onCrashPoint?.('before-receipt');
  const [first] = rows;
  const offering = first && renderOffer(first.id).catch(() => undefined);
  const offer = await call.inTime(Promise.resolve(offering));
  if (!(await sendReceipt(call, channel, renderReceipt(submissions, { offer: offer?.blocks ?? [] })))) {
    // The offer may come after its time.
    const withdrawal = Promise.resolve(offering).then((lateOffer) => lateOffer?.withdraw());
    await call.inTime(deliver(call, 'withdrawal of an offer', withdrawal));
    return undefined;
  }
  const clearing = Promise.all(rows.map((row) => clearPendingNotification(context, row)));
  const areCleared = await call.inTime(deliver(call, 'receipt', clearing));
  await context.pace.onCrashPoint?.('after-receipt');
  return areCleared ? [] : rows;
}

/** Sends a receipt to the actor only. Resolves with false if there is no time for it, or Slack accepts it too late. */
export async function sendReceipt(call: SubmissionCall, channel: string, message: Message): Promise<boolean> {
  if (call.getRemainingMs() <= MIN_RECEIPT_MS) return false;
  const { client, actor, log, reference } = call;
  const sealedMessage = disableParsing(call.sealButtons(message));
  const sending = client.chat.postEphemeral({ channel, user: actor.user, ...sealedMessage }).then(
    () => true,
    (error: unknown) => {
      log.info({ reference, reason: getSlackErrorCode(error) }, 'could not send a receipt');
      return false;
    },
  );
  return (await call.inTime(sending)) ?? false;
}

/** Responds in the acknowledgement. Resolves with false if it is too late. */
async function acknowledge(call: SubmissionCall, response: SubmissionResponse): Promise<boolean> {
  const isAcknowledged = await deliver(call, 'acknowledgement', call.answer(response));
  await call.context.submissions.context.pace.onCrashPoint?.('after-acknowledgement');
  return isAcknowledged;
}

/** Replaces the view after the acknowledgement. Resolves with false if that failed. */
function replaceView(call: SubmissionCall, view: ModalView): Promise<boolean> {
  return deliver(call, 'view', call.client.views.update({ view_id: call.view.id, view }));
}

/** Waits until a part of the response was delivered. Resolves with false if that failed, or was too late. */
async function deliver(call: SubmissionCall, part: string, delivery: Promise<unknown>): Promise<boolean> {
  try {
    return (await delivery) !== false;
  } catch (error) {
    if (!isViewChangedOrClosed(error))
      call.log.warn(
        { reference: call.reference, response: part, err: error },
        'could not deliver the response',
      );
    return false;
  }
}

/** Lets the notifier tell the result, because no view could show it. */
async function notifySoon(
  call: SubmissionCall,
  inFlight: SubmissionsInFlight,
  view: ModalView,
): Promise<void> {
  // What isn't saved would be nowhere otherwise.
  if (inFlight.unsavedTexts.length > 0)
    await call.client.chat.postMessage({ channel: call.actor.user, ...disableParsing(toMessage(view)) });
  // Otherwise the notification comes at its time.
  await inFlight.notifySoon().catch((err: unknown) => {
    if (!isDatabaseFailure(err)) throw err;
    call.log.warn({ reference: call.reference, err }, 'could not hasten a notification');
  });
}

/**
 * Updates the messages that show the rows, and clears the rows' pending notifications. If Slack doesn't accept an
 * update, the notification stays due and updates the message later.
 */
export async function showInMessages(call: SubmissionCall, rows: readonly SubmissionRow[]): Promise<void> {
  const { context } = call.context.submissions;
  const updatedTs = new Set<string | undefined>();
  for (const row of rows) {
    const isUpdated =
      updatedTs.has(row.message_ts ?? undefined) ||
      (await deliver(call, 'message', updateShownMessage(context, call.client, row)));
    if (!isUpdated) continue;
    updatedTs.add(row.message_ts ?? undefined);
    await clearPendingNotification(context, row);
  }
}

/** Responds after a failed or uncertain save. Shows the whole text, because it may be stored nowhere else. */
export async function showUnsaved(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  {
    kind,
    submissions,
    reason,
  }: {
    kind: AnyKind;
    submissions: readonly ReceivedSubmission<unknown>[];
    reason: UnsavedReason;
  },
): Promise<void> {
  call.log.warn({ reference: call.reference, reason }, 'submission not known to be saved');
  const { context } = call.context.submissions;
  // The database may not respond.
  await call.inTime(keepTyped(call, submitted));
  if (await acknowledge(call, { view: renderRefusedAgain(form, submitted, reason, 'current') })) return;
  await delay(context.pace.afterAcknowledgementMs);
  if (await replaceView(call, renderRefusedAgain(form, submitted, reason, 'rebuilt'))) return;
  // The view is closed, perhaps because another press of the same form has been saved meanwhile.
  if (reason === 'not-saved' && (await areSavedByNow(context, kind, submissions))) return;
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  await call.client.chat.postMessage({ channel: call.actor.user, ...renderUnsavedMessage(reason, texts) });
}

/** Whether equal submissions of the form are stored and not refused. False also if the database doesn't respond. */
async function areSavedByNow(
  context: SubmissionContext,
  kind: AnyKind,
  submissions: readonly ReceivedSubmission<unknown>[],
): Promise<boolean> {
  // The fingerprint of such a kind contains only what is changed, and not to what.
  if (kind.unknownOutcome.strategy === 'repeat') return false;
  const isSaved = async (submission: ReceivedSubmission<unknown>) => {
    const row = await findNewestSubmission(context.db, submission);
    if (!row || ENDED_UNSENT_STATES.includes(row.state)) return false;
    return row.fingerprint === (await computeHashColumns(context, kind, submission)).fingerprint;
  };
  const results = await Promise.all(submissions.map(isSaved)).catch(() => [false]);
  return results.every(Boolean);
}
