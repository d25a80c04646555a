import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCall, SubmissionCall } from '../app/call.ts';
import { computeHashColumns, type ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import type { SafeResponder } from './responder.ts';
import { findNewestSubmission } from './sql/submissions.ts';
import { ENDED_UNSENT_STATES } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderUnsavedMessage, renderUnsavedView, type UnsavedReason } from './text/not-saved.ts';

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
