import { getStep } from '../engine/lifecycle.ts';
import { handleUnknownOutcome, reschedule } from './apply-send-outcome.ts';
import { attempt } from './attempt.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import type { SubmissionKind } from './kind.ts';
import type { ClaimableState } from './lifecycle.ts';
import { discardReplaced, isReplaced } from './make-first-attempt.ts';
import { reconcile } from './reconcile.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Runs the next step of a claimed row. */
export async function runStep(
  context: SubmissionContext,
  row: SubmissionRow,
): Promise<SubmissionRow | undefined> {
  await context.pace.onCrashPoint?.('after-claim');
  const kind = context.findKind(row.kind);
  if (!kind) {
    context.log.error({ submission: row.id, kind: row.kind }, 'unknown kind of submission');
    return reschedule(context, row, context.pace.probeIntervalMs, { ignoreDeadline: true });
  }
  return getStep(STEPS, row.state)(context, row, kind);
}

type Kind = SubmissionKind<unknown>;
type Step = (
  context: SubmissionContext,
  row: SubmissionRow,
  kind: Kind,
) => Promise<SubmissionRow | undefined>;

const STEPS: Readonly<Record<ClaimableState, Step>> = {
  saved: async (context, row) =>
    (await isReplaced(context, row))
      ? discardReplaced(context, row)
      : attempt(context, row, { probe: 'when-due', notifyAfterMs: 0 }),
  retryable: (context, row) => attempt(context, row, { probe: 'when-due', notifyAfterMs: 0 }),
  // The instance died during the call, so the outcome is unknown.
  sending: (context, row, kind) => handleUnknownOutcome(context, row, kind, 0),
  unknown(context, row, kind) {
    const { strategy } = kind.unknownOutcome;
    const hasBaseline = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
    if (strategy === 'reconcile' && hasBaseline) return reconcile(context, row, kind);
    if (strategy === 'repeat' && row.reason !== 'restored')
      return attempt(context, row, { probe: 'when-due', notifyAfterMs: 0 });
    return handleUnknownOutcome(context, row, kind, 0);
  },
  reconciling: reconcile,
};
