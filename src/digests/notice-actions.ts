import type { ActionCall } from '../app/call.ts';
import { renderMoment } from '../posts/render-post.ts';
import type { Message } from '../slack/message.ts';
import { CONFIRM_SENT, RESUME, SEND_AGAIN } from './action-ids.ts';
import type { Digest } from './digest.ts';
import { nameDigest } from './messages/name-digest.ts';
import { findMessage } from './reconcile.ts';
import type { DigestKey } from './sql/digests.ts';
import { findOccurrence, type OccurrenceRow } from './sql/occurrences.ts';

/** Handlers of the buttons of notices, for a feature's `actions`. Each checks the row's current state first. */
export const DIGEST_ACTIONS: Readonly<Record<string, (call: ActionCall) => Promise<void>>> = {
  [CONFIRM_SENT]: (call) => decide(call, confirmSent),
  [SEND_AGAIN]: (call) => decide(call, sendAgain),
};

async function decide(
  call: ActionCall,
  action: (call: ActionCall, row: OccurrenceRow) => Promise<string>,
): Promise<void> {
  const { machine } = call.context.digests;
  const at = { workspace: call.actor.workspace, id: call.action.value ?? '' };
  const row = await findOccurrence(machine.db, at);
  const digest = row && (await call.context.digests.find({ workspace: row.workspace, id: row.digest }));
  if (!row || !digest) return answer(call, { text: 'This digest is not there any more.' });
  const outcome = row.state === 'uncertain' ? await action(call, row) : 'That is settled already.';
  const moment = renderMoment(row.due_at, digest.zone, machine.now());
  return answer(call, { text: `The digest of ${moment} (${nameDigest(digest)}): ${outcome}` });
}

async function confirmSent({ context }: ActionCall, row: OccurrenceRow): Promise<string> {
  const { machine } = context.digests;
  const updated = await machine.delivery.transition(row, 'sent', { reason: 'person' });
  return updated ? 'noted, it is there.' : 'that is settled already.';
}

/** Searches for the message once more before it is sent again. */
async function sendAgain({ context }: ActionCall, row: OccurrenceRow): Promise<string> {
  const { machine } = context.digests;
  const client = await machine.slackFor(row.workspace);
  const found = client && client !== 'unknown' ? await findMessage(machine, client, row) : undefined;
  if (found?.kind === 'found') {
    const { ts, conversation } = found;
    await machine.delivery.transition(row, 'sent', { ts, conversation, reason: 'found' });
    return 'I have found it there after all, so I do not post it again.';
  }
  const at = machine.clock();
  const updated = await machine.delivery.transition(row, 'due', {
    ...{ requested_at: machine.now(), checks: 0, retrying_since: null, next_at: at },
  });
  machine.wake(at);
  return updated ? 'I post it again now.' : 'that is settled already.';
}

/** Handles [Resume] of a notice. Changes nothing if the digest's channel or projects differ from `at`. */
export async function resumeFromNotice(
  call: ActionCall,
  at: DigestKey,
  sharedWith: Digest['sharedWith'],
): Promise<void> {
  const { digests } = call.context;
  const digest = await digests.resume(at, sharedWith);
  if (!digest)
    return answer(call, { text: 'Not resumed: somebody changed or deleted this digest just now.' });
  const next = digest.next && renderMoment(digest.next.instant, digest.zone, digests.machine.now());
  const when = next === undefined ? '' : ` Next: ${next}.`;
  return answer(call, { text: `Resumed: ${nameDigest(digest)}.${when}` });
}

/** The answer replaces a notice about one occurrence. A notice about pauses may list several digests, so it stays. */
async function answer(call: ActionCall, message: Message): Promise<void> {
  await call.reply(message, { replace: call.action.id !== RESUME });
}
