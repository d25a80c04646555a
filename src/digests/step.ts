import { getStep } from '../delivery/lifecycle.ts';
import { startReconciling } from './apply-send-result.ts';
import type { ClaimableState } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { reconcile } from './reconcile.ts';
import { sendFollowUps } from './send-follow-ups.ts';
import { type ClaimedOccurrence, sendOccurrence } from './send-occurrence.ts';

/** Runs the step of a claimed row. */
export async function runStep(machine: Machine, claimed: ClaimedOccurrence): Promise<void> {
  await machine.pace.onCrashPoint?.('after-claim');
  return getStep(STEPS, claimed.row.state)(machine, claimed);
}

const STEPS: Readonly<
  Record<ClaimableState, (machine: Machine, claimed: ClaimedOccurrence) => Promise<void>>
> = {
  due: sendOccurrence,
  // The lease ended in this state, so the sending instance died and the outcome is unknown.
  sending: (machine, { row }) => startReconciling(machine, row),
  reconciling: reconcile,
  'following-up': (machine, { row, digest }) => sendFollowUps(machine, row, digest),
};
