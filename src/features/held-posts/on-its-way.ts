import { commitWithEntry } from '../../access/access.ts';
import { createTimeLimit } from '../../handlers/answer-when-ready.ts';
import type { ActionCall } from '../../handlers/call.ts';
import { prepareEventEntry } from '../../held-posts/change.ts';
import { listSubmissions } from '../../held-posts/hand-over/parts.ts';
import { addEvent } from '../../held-posts/sql/events.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import { PermissionUnknown } from '../../slack/not-allowed.ts';
import { clearPendingNotification } from '../../submissions/deliveries.ts';
import { type Decision, decide, NOTHING_DONE_TEXTS } from '../../submissions/press.ts';
import { hasButton } from '../../submissions/submission.ts';
import { type PostAction, type PressedPost, showPost } from './press.ts';

/** What the history and the audit log say of a decision. Nothing of a check, which changes nothing by itself. */
const EVENTS = { retry: 'hurried', 'send-again': 'hurried', discard: 'cancelled', check: undefined } as const;

/** Creates the action that decides about the submissions of a post, and shows what becomes of it. */
export function decideOnSubmissions(decision: Decision): PostAction {
  return async (call, post) => {
    const deciding = applyDecision(call, post, decision);
    const isEarly = (await createTimeLimit(call).inTime(deciding)) !== undefined;
    const progress = decision === 'check' ? 'Checking… The service hasn’t answered yet.' : undefined;
    if (!isEarly) await showPost(call, post, progress);
    const { note } = await deciding;
    // The outbox reads it itself.
    const isInOutbox = post.outboxFrom !== undefined;
    const row = (isInOutbox ? undefined : await findHeldPost(call.context.db, post.row)) ?? post.row;
    await showPost(call, { ...post, row }, note);
  };
}

/** Resolves with what became of the decision about the last of the submissions (mrkdwn). */
async function applyDecision(
  call: ActionCall,
  { row, press, sent: shown }: PressedPost,
  decision: Decision,
): Promise<{ note: string | undefined }> {
  const { heldPosts, submissions } = call.context;
  const event = EVENTS[decision];
  const { notificationDelayMs: notifyAfterMs } = submissions.context.pace;
  let note: string | undefined;
  const known = row.sent_to === null && shown ? [shown] : await listSubmissions(heldPosts, row);
  for (const sent of known) {
    // Other parts of the post may wait for something else.
    const isShown = sent.state === shown?.state && sent.reason === shown.reason;
    if (!isShown || !hasButton(sent, decision)) continue;
    const prepareEntry = () => event && prepareEventEntry(press, event, row);
    const options = { probe: 'by-person', notifyAfterMs, prepareEntry } as const;
    const result = await decide(submissions.context, call.actor, sent, decision, options);
    if (result.kind === 'not-checked') throw new PermissionUnknown(call.reference);
    note = result.note;
    if (NOTHING_DONE_TEXTS.includes(note ?? '')) call.recordOutcome?.('unchanged', row.project);
    else if (event) {
      // A discard has stored its entry already.
      const entry = decision === 'discard' ? undefined : prepareEntry();
      await commitWithEntry(heldPosts.db, entry, (trx) =>
        addEvent(trx, row, { kind: event, actor: press.actor, at: call.now() }),
      );
    }
    // Whoever has pressed sees the state here.
    if (row.author === press.actor) await clearPendingNotification(submissions.context, result.row);
  }
  return { note };
}
