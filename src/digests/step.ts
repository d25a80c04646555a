import { getStep } from '../engine/lifecycle.ts';
import { startReconciling } from './apply-send-result.ts';
import type { DigestContext } from './digest-context.ts';
import type { ClaimableState } from './lifecycle.ts';
import { reconcile } from './reconcile.ts';
import { sendFollowUps } from './send-follow-ups.ts';
import { type ClaimedOccurrence, sendOccurrence } from './send-occurrence.ts';

/** Runs the step of a claimed row. */
export async function runStep(context: DigestContext, claimed: ClaimedOccurrence): Promise<void> {
  await context.pace.onCrashPoint?.('after-claim');
  return getStep(STEPS, claimed.row.state)(context, claimed);
}

const STEPS: Readonly<
  Record<ClaimableState, (context: DigestContext, claimed: ClaimedOccurrence) => Promise<void>>
> = {
  due: sendOccurrence,
  // The lease ended in this state, so the sending instance died and the outcome is unknown.
  sending: (context, { row }) => startReconciling(context, row),
  reconciling: reconcile,
  'following-up': (context, { row, digest }) => sendFollowUps(context, row, digest),
};
