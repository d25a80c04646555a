import { stepOf } from '../delivery/lifecycle.ts';
import { handleUnknownOutcome } from './after-sending.ts';
import { attempt } from './attempt.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import type { SubmissionKind } from './kind.ts';
import type { Claimable } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { reconcile } from './reconcile.ts';
import { hasNewerEqual, type SubmissionRow } from './sql/submissions.ts';
import { wait } from './wait.ts';

/** Runs the next step of a claimed row. */
export async function step(machine: Machine, row: SubmissionRow): Promise<SubmissionRow | undefined> {
  await machine.pace.at?.('after-claim');
  const kind = machine.kindOf(row.kind);
  if (!kind) {
    machine.log.error({ submission: row.id, kind: row.kind }, 'unknown kind of submission');
    return wait(machine, row, machine.pace.probeMs, { ignoreDeadline: true });
  }
  return stepOf(STEPS, row.state)(machine, row, kind);
}

type Kind = SubmissionKind<unknown>;
type Step = (machine: Machine, row: SubmissionRow, kind: Kind) => Promise<SubmissionRow | undefined>;

const STEPS: Readonly<Record<Claimable, Step>> = {
  saved: async (machine, row, kind) => {
    if (await isReplacedByEqual(machine, row, kind))
      return machine.delivery.transition(row, 'discarded', { reason: 'replaced' });
    return attempt(machine, row, { probe: true, notifyAfterMs: 0 });
  },
  retryable: (machine, row) => attempt(machine, row, { probe: true, notifyAfterMs: 0 }),
  // The instance that was sending it died, so the outcome is unknown.
  sending: (machine, row, kind) => handleUnknownOutcome(machine, row, kind, 0),
  unknown(machine, row, kind) {
    const { way } = kind.whenUnknown;
    const canTell = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
    if (way === 'reconcile' && canTell) return reconcile(machine, row, kind);
    if (way === 'repeat' && row.reason !== 'restored')
      return attempt(machine, row, { probe: true, notifyAfterMs: 0 });
    return handleUnknownOutcome(machine, row, kind, 0);
  },
  reconciling: reconcile,
};

/**
 * Whether the author has submitted an equal post since, without having been notified of this one. A broken network can
 * delay an INSERT for so long. Only the later submission is sent.
 */
async function isReplacedByEqual(
  machine: Machine,
  row: SubmissionRow,
  kind: Pick<Kind, 'whenUnknown'>,
): Promise<boolean> {
  if (kind.whenUnknown.way === 'repeat' || row.attempts > 0 || row.notified_at !== null) return false;
  return hasNewerEqual(machine.db, row, 'its-author');
}
