import { getStep } from '../delivery/lifecycle.ts';
import { handleUnknownOutcome, reschedule } from './apply-send-outcome.ts';
import { attempt } from './attempt.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import type { SubmissionKind } from './kind.ts';
import type { Claimable } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { reconcile } from './reconcile.ts';
import { hasNewerEqual, type SubmissionRow } from './sql/submissions.ts';

/** Runs the next step of a claimed row. */
export async function runStep(machine: Machine, row: SubmissionRow): Promise<SubmissionRow | undefined> {
  await machine.pace.onCrashPoint?.('after-claim');
  const kind = machine.findKind(row.kind);
  if (!kind) {
    machine.log.error({ submission: row.id, kind: row.kind }, 'unknown kind of submission');
    return reschedule(machine, row, machine.pace.probeMs, { ignoreDeadline: true });
  }
  return getStep(STEPS, row.state)(machine, row, kind);
}

type Kind = SubmissionKind<unknown>;
type Step = (machine: Machine, row: SubmissionRow, kind: Kind) => Promise<SubmissionRow | undefined>;

const STEPS: Readonly<Record<Claimable, Step>> = {
  saved: async (machine, row, kind) => {
    if (await isReplacedByEqual(machine, row, kind))
      return machine.delivery.transition(row, 'discarded', { reason: 'replaced' });
    return attempt(machine, row, { mayProbe: true, notifyAfterMs: 0 });
  },
  retryable: (machine, row) => attempt(machine, row, { mayProbe: true, notifyAfterMs: 0 }),
  // The instance that was sending the row died, so the outcome is unknown.
  sending: (machine, row, kind) => handleUnknownOutcome(machine, row, kind, 0),
  unknown(machine, row, kind) {
    const { way } = kind.whenUnknown;
    const hasBaseline = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
    if (way === 'reconcile' && hasBaseline) return reconcile(machine, row, kind);
    if (way === 'repeat' && row.reason !== 'restored')
      return attempt(machine, row, { mayProbe: true, notifyAfterMs: 0 });
    return handleUnknownOutcome(machine, row, kind, 0);
  },
  reconciling: reconcile,
};

/**
 * Whether the author, not notified of this submission, has submitted an equal one since. That happens when a broken
 * network delays the INSERT of a row. Then only the later submission is sent.
 */
async function isReplacedByEqual(
  machine: Machine,
  row: SubmissionRow,
  kind: Pick<Kind, 'whenUnknown'>,
): Promise<boolean> {
  if (kind.whenUnknown.way === 'repeat' || row.attempts > 0 || row.notified_at !== null) return false;
  return hasNewerEqual(machine.db, row, 'same-author');
}
