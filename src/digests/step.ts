import { getStep } from '../delivery/lifecycle.ts';
import { startReconciling } from './apply-send-result.ts';
import type { Claimable } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { reconcile } from './reconcile.ts';
import { sendFollowUps } from './send-follow-ups.ts';
import { type ClaimedOccurrence, sendOccurrence } from './send-occurrence.ts';

/** Runs the step of a claimed row. */
export async function step(machine: Machine, claimed: ClaimedOccurrence): Promise<void> {
  await machine.pace.at?.('after-claim');
  return getStep(STEPS, claimed.row.state)(machine, claimed);
}

const STEPS: Readonly<Record<Claimable, (machine: Machine, claimed: ClaimedOccurrence) => Promise<void>>> = {
  due: sendOccurrence,
  // The instance that was sending it is gone, so the outcome is unknown.
  sending: (machine, { row }) => startReconciling(machine, row),
  reconciling: reconcile,
  'following-up': (machine, { row, digest }) => sendFollowUps(machine, row, digest),
};
