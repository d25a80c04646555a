import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionAnswer, SubmissionCall } from '../app/call.ts';
import { isViewGone } from '../slack/slack-errors.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { closeNotification, fetchViewer, sendNotificationNow } from './notify-author.ts';
import { commonRefusal } from './refused-form.ts';
import { saveAndSend } from './save-and-send.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { ServiceRefusal } from './submission.ts';
import type { Received } from './submission-keys.ts';
import { type Unsaved, unsavedMessage, unsavedView } from './text/not-saved.ts';
import { renderSubmission } from './text/render-submission.ts';
import { stateView } from './text/state-blocks.ts';

/** The ways to answer a submission in its form, view or message. */
interface FormAnswers {
  /** Answers within the acknowledgement; false if it is too late for that. */
  early(answer: SubmissionAnswer): Promise<boolean>;
  /** Replaces the view or message after the acknowledgement. */
  late(view: ModalView): Promise<void>;
  /** Errors by block id; undefined if a problem belongs to no field of the form. */
  inline(refusal: ServiceRefusal): Record<string, string> | undefined;
  /**
   * The form with everything that was typed; undefined if there is none. Then the submission is shown with its buttons.
   */
  again(reason: ServiceRefusal | Unsaved, how: 'as it stands' | 'rebuilt'): ModalView | undefined;
}

/** Saves and sends submissions, and answers within the acknowledgement or after it. */
export async function sendAndAnswer<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
  answers: FormAnswers,
): Promise<void> {
  const { machine } = call.context.submissions;
  const { pace } = machine;
  const on = await saveAndSend(machine, kind, received);
  if (typeof on === 'string') return answerUnsaved(call, kind, { reason: on, received, answers });
  const left = pace.answerMs - (performance.now() - call.receivedAt);
  const early = await Promise.race([on.ended, delay(Math.max(0, left), undefined, { ref: false })]);
  const rows = early ?? (await on.now());
  const said = early ? answerOf(machine, rows, answers, on.equal) : { view: viewOf(machine, rows, on.equal) };
  const isTaken = await answers.early(said).catch(logUndelivered(call, 'acknowledgement'));
  await pace.at?.('after-acknowledgement');
  if (early && isTaken) return closeNotifications(machine, early);

  // Also after a lost acknowledgement: an author who sees no result would send the post again.
  const [ended] = await Promise.all([on.ended, delay(pace.afterAcknowledgementMs)]);
  await pace.at?.('before-view');
  // The poll may have continued meanwhile, so the last view shows the current rows.
  const current = await on.now();
  const refusal = commonRefusal(machine, current);
  const view = (refusal && answers.again(refusal, 'rebuilt')) ?? viewOf(machine, current, on.equal);
  const isShown = await answers.late(view).then(() => true, logUndelivered(call, 'view'));
  if (isShown) return closeNotifications(machine, current);
  // Rows of another request are notified by that request.
  const toNotify = ended.filter((row) => row.notify_at !== null && on.own.has(row.id));
  for (const row of toNotify) await sendNotificationNow(machine, call.client, row);
  await closeNotifications(machine, toNotify);
}

function answerOf(
  machine: Machine,
  rows: readonly SubmissionRow[],
  answers: FormAnswers,
  equal: ReadonlySet<string>,
): SubmissionAnswer {
  const refusal = commonRefusal(machine, rows);
  if (!refusal) return { view: viewOf(machine, rows, equal) };
  const errors = answers.inline(refusal);
  if (errors) return { errors };
  const again = answers.again(refusal, 'as it stands');
  return { view: again ?? viewOf(machine, rows) };
}

const SENT_BEFORE = 'You sent this already. This is how it current.';

function viewOf(
  machine: Machine,
  rows: readonly SubmissionRow[],
  equal: ReadonlySet<string> = new Set(),
): ModalView {
  const before = rows.find(({ id }) => equal.has(id));
  const shown = rows.map((row) => renderSubmission(machine, row, fetchViewer(machine)));
  return stateView(shown, before && { id: before.id, said: SENT_BEFORE });
}

async function closeNotifications(machine: Machine, rows: readonly SubmissionRow[]): Promise<void> {
  for (const row of rows) await closeNotification(machine, row);
}

/** Answers that the submission isn't known to be saved, with the whole text, which may be stored nowhere else. */
async function answerUnsaved<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  {
    reason,
    received,
    answers,
  }: { reason: Unsaved; received: readonly Received<Content>[]; answers: FormAnswers },
): Promise<void> {
  const texts = received.map(({ content }) => kind.words.text(content));
  const view = (how: 'as it stands' | 'rebuilt') => answers.again(reason, how) ?? unsavedView(reason, texts);
  if (await answers.early({ view: view('as it stands') }).catch(logUndelivered(call, 'acknowledgement')))
    return;
  await delay(call.context.submissions.machine.pace.afterAcknowledgementMs);
  if (await answers.late(view('rebuilt')).then(() => true, logUndelivered(call, 'view'))) return;
  await call.client.chat.postMessage({ channel: call.actor.user, ...unsavedMessage(reason, texts) });
}

/** Logs a failed answer. The caller then tries the next way. */
function logUndelivered(call: SubmissionCall | ActionCall, way: string) {
  return (error: unknown) => {
    if (!isViewGone(error)) {
      call.log.warn({ reference: call.reference, way, err: error }, 'could not deliver the response');
    }
    return false;
  };
}
