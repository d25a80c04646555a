import type { Digest } from '../../digests/digest.ts';
import { CONFIRM_SENT, RESUME, renderDigestName, SEND_AGAIN } from '../../digests/messages/notices.ts';
import type { OccurrenceRow } from '../../digests/occurrence.ts';
import { findMessage } from '../../digests/reconcile.ts';
import type { DigestKey } from '../../digests/sql/digests.ts';
import { findOccurrence } from '../../digests/sql/occurrences.ts';
import type { ActionCall, Handler } from '../../handlers/call.ts';
import { renderMoment } from '../../posts/post-time.ts';
import type { Message } from '../../slack/message.ts';

/** Handlers of the buttons in notices, for a feature's `actions`. Each handler checks the row's current state first. */
export const DIGEST_ACTIONS: Readonly<Record<string, Handler<ActionCall>>> = {
  [CONFIRM_SENT]: { deed: 'confirm that a digest arrived', run: (call) => handleDecision(call, confirmSent) },
  [SEND_AGAIN]: { deed: 'send a digest again', run: (call) => handleDecision(call, sendAgain) },
};

async function handleDecision(
  call: ActionCall,
  action: (call: ActionCall, row: OccurrenceRow) => Promise<string>,
): Promise<void> {
  const { context: digestContext } = call.context.digests;
  const key = { workspace: call.actor.workspace, id: call.action.value ?? '' };
  const row = await findOccurrence(digestContext.db, key);
  const digest = row && (await call.context.digests.find({ workspace: row.workspace, id: row.digest }));
  if (!row || !digest) return replyToNotice(call, { text: 'This digest no longer exists.' });
  const outcome = row.state === 'uncertain' ? await action(call, row) : 'that’s already settled.';
  const moment = renderMoment(row.due_at, digest.zone, digestContext.clock.now());
  return replyToNotice(call, { text: `The digest of ${moment} (${renderDigestName(digest)}): ${outcome}` });
}

async function confirmSent({ context }: ActionCall, row: OccurrenceRow): Promise<string> {
  const { context: digestContext } = context.digests;
  const updatedRow = await digestContext.verbs.settle(row, 'sent');
  return updatedRow ? 'got it, it’s there.' : 'that’s already settled.';
}

/** Searches for the message once more before it is sent again. */
async function sendAgain({ context }: ActionCall, row: OccurrenceRow): Promise<string> {
  const { context: digestContext } = context.digests;
  const client = await digestContext.findSlackClient(row.workspace);
  const search = client && client !== 'unknown' ? await findMessage(digestContext, client, row) : undefined;
  if (search?.kind === 'found') {
    const { ts, conversation } = search;
    await digestContext.verbs.settle(row, 'sent', { ts, conversation });
    return 'I found it after all, so I won’t send it again.';
  }
  const sharedNow = digestContext.clock.readShared();
  const updatedRow = await digestContext.verbs.settle(row, 'due', {
    requested_at: digestContext.clock.now(),
    checks: 0,
    retrying_since: null,
    next_at: sharedNow,
  });
  digestContext.verbs.wake();
  return updatedRow ? 'sending it again now.' : 'that’s already settled.';
}

/** Handles [Resume] in a notice. Does nothing if no digest has this `key` any more. `sharedWith`: the organisations that can read it. */
export async function resumeFromNotice(
  call: ActionCall,
  key: DigestKey,
  sharedWith: Digest['sharedWith'],
): Promise<void> {
  const { digests } = call.context;
  const digest = await digests.resume(key, sharedWith);
  if (!digest)
    return replyToNotice(call, { text: 'Not resumed. Somebody just changed or deleted this digest.' });
  const nextMoment =
    digest.nextSlot && renderMoment(digest.nextSlot.instant, digest.zone, digests.context.clock.now());
  const nextText = nextMoment === undefined ? '' : ` Next: ${nextMoment}.`;
  return replyToNotice(call, { text: `Resumed: ${renderDigestName(digest)}.${nextText}` });
}

/** Replaces a notice about one occurrence. A notice about pauses may list several digests, so it isn't replaced. */
async function replyToNotice(call: ActionCall, message: Message): Promise<void> {
  await call.reply(message, { replace: call.action.id !== RESUME });
}
