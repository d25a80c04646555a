import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCall, SubmissionCall } from '../app/call.ts';
import type { ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import type { SafeResponder } from './responder.ts';
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
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  const renderUnsaved = (mode: 'current' | 'rebuilt') =>
    responder.renderForm(reason, mode) ?? renderUnsavedView(reason, texts);
  if (await responder.acknowledge({ view: renderUnsaved('current') })) return;
  await delay(call.context.submissions.context.pace.afterAcknowledgementMs);
  if (await responder.showLater(renderUnsaved('rebuilt'))) return;
  await call.client.chat.postMessage({ channel: call.actor.user, ...renderUnsavedMessage(reason, texts) });
}
