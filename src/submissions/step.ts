import { stepOf } from '../delivery/lifecycle.ts';
import { nobodyKnows } from './after-sending.ts';
import { attempt } from './attempt.ts';
import { UNTOLD } from './baseline.ts';
import type { SubmissionKind } from './kind.ts';
import type { Moving } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { reconcile } from './reconcile.ts';
import { hasNewerEqual, type SubmissionRow } from './sql/submissions.ts';
import { wait } from './waiting.ts';

/** What is due and in our hands goes one step further. */
export async function step(machine: Machine, row: SubmissionRow): Promise<SubmissionRow | undefined> {
  await machine.pace.at?.('after-claim');
  const kind = machine.kindOf(row.kind);
  if (!kind) {
    machine.log.error({ submission: row.id, kind: row.kind }, 'a submission of an unknown kind');
    return wait(machine, row, machine.pace.holdMs, { evenPast: true });
  }
  return stepOf(STEPS, row.state)(machine, row, kind);
}

type Kind = SubmissionKind<unknown>;
type Step = (machine: Machine, row: SubmissionRow, kind: Kind) => Promise<SubmissionRow | undefined>;

const STEPS: Readonly<Record<Moving, Step>> = {
  async saved(machine, row, kind) {
    if (await isSentInItsPlace(machine, row, kind))
      return machine.delivery.transition(row, 'discarded', { why: 'replaced' });
    return attempt(machine, row, { probe: true, notifyAfterMs: 0 });
  },
  retryable: (machine, row) => attempt(machine, row, { probe: true, notifyAfterMs: 0 }),
  // Whoever was sending it is gone, and what they knew with them.
  sending: (machine, row, kind) => nobodyKnows(machine, row, kind, 0),
  unknown(machine, row, kind) {
    const { way } = kind.whenUnknown;
    const canTell = row.baseline !== null && row.baseline !== UNTOLD;
    if (way === 'look' && canTell) return reconcile(machine, row, kind);
    if (way === 'repeat' && row.why !== 'restored')
      return attempt(machine, row, { probe: true, notifyAfterMs: 0 });
    return nobodyKnows(machine, row, kind, 0);
  },
  reconciling: reconcile,
};

/**
 * A broken network can delay an INSERT until its author, who could not know that it was saved, has submitted the same
 * post again. Only the later one is sent.
 */
async function isSentInItsPlace(
  machine: Machine,
  row: SubmissionRow,
  kind: Pick<Kind, 'whenUnknown'>,
): Promise<boolean> {
  if (kind.whenUnknown.way === 'repeat' || row.attempts > 0 || row.told_at !== null) return false;
  return hasNewerEqual(machine.db, row, 'its-author');
}
