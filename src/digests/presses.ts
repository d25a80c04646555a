import type { ActionCall } from '../app/call.ts';
import { momentText } from '../posts/moment-words.ts';
import type { Message } from '../slack/message.ts';
import { AGAIN, RESUME, THERE } from './action-ids.ts';
import type { Digest } from './digest.ts';
import { lookFor } from './look.ts';
import { nameDigest } from './said/name-digest.ts';
import type { One } from './sql/digests.ts';
import { type OccurrenceRow, occurrenceOf } from './sql/occurrences.ts';

type Press = ActionCall;

/** The buttons of what owners are told, for a feature's `actions`. Each is checked against the row as it is now. */
export const DIGEST_ACTIONS: Readonly<Record<string, (call: Press) => Promise<void>>> = {
  [THERE]: (call) => decide(call, itIsThere),
  [AGAIN]: (call) => decide(call, postAgain),
};

async function decide(call: Press, how: (call: Press, row: OccurrenceRow) => Promise<string>): Promise<void> {
  const { machine } = call.context.digests;
  const at = { workspace: call.who.workspace, id: call.action.value ?? '' };
  const row = await occurrenceOf(machine.db, at);
  const digest = row && (await call.context.digests.find({ workspace: row.workspace, id: row.digest }));
  if (!row || !digest) return answer(call, { text: 'This digest is not there any more.' });
  const said = row.state === 'uncertain' ? await how(call, row) : 'That is settled already.';
  const moment = momentText(row.due_at, digest.zone, machine.now());
  return answer(call, { text: `The digest of ${moment} (${nameDigest(digest)}): ${said}` });
}

async function itIsThere({ context }: Press, row: OccurrenceRow): Promise<string> {
  const { machine } = context.digests;
  const moved = await machine.delivery.transition(row, 'posted', { reason: 'person' });
  return moved ? 'noted, it is there.' : 'that is settled already.';
}

/** One more look before it goes out. */
async function postAgain({ context }: Press, row: OccurrenceRow): Promise<string> {
  const { machine } = context.digests;
  const client = await machine.slackFor(row.workspace);
  const found = client && client !== 'unknown' ? await lookFor(machine, client, row) : undefined;
  if (found?.kind === 'found') {
    const { ts, conversation } = found;
    await machine.delivery.transition(row, 'posted', { ts, conversation, reason: 'found' });
    return 'I have found it there after all, so I do not post it again.';
  }
  const at = machine.clock();
  const moved = await machine.delivery.transition(row, 'due', {
    ...{ asked_at: machine.now(), checks: 0, retrying_since: null, next_at: at },
  });
  machine.wake(at);
  return moved ? 'I post it again now.' : 'that is settled already.';
}

/** [Resume] of a notice: does nothing to a digest that is about something else than `at` says. */
export async function resumeNoticed(call: Press, at: One, sharedWith: Digest['sharedWith']): Promise<void> {
  const { digests } = call.context;
  const digest = await digests.resume(at, sharedWith);
  if (!digest)
    return answer(call, { text: 'Not resumed: somebody changed or deleted this digest just now.' });
  const next = digest.next && momentText(digest.next.instant, digest.zone, digests.machine.now());
  const when = next === undefined ? '' : ` Next: ${next}.`;
  return answer(call, { text: `Resumed: ${nameDigest(digest)}.${when}` });
}

/** A notice of one thing is replaced by its answer; one that tells of several stays. */
async function answer(call: Press, message: Message): Promise<void> {
  await call.reply(message, { replace: call.action.id !== RESUME });
}
