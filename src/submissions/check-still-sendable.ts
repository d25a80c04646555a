import { computeFullJitterMs } from '../engine/backoff.ts';
import type { Change } from '../engine/capability.ts';
import { addMs } from '../engine/clock.ts';
import { capAtDeadline } from './apply-send-outcome.ts';
import type { AnyKind } from './kind.ts';
import { hasNewerEqualRow } from './sql/submissions.ts';
import type { SendingState, State, SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** The transition of an unsendable row. */
interface BlockedTransition {
  to: Exclude<State, SendingState>;
  change: Change<SubmissionRow>;
}

/**
 * Checks a submission right before the send. Resolves with undefined for a sendable submission, with another transition for
 * an unsendable submission, and with `taken` if it waits for a review now.
 */
export async function checkStillSendable(
  context: SubmissionContext,
  row: SubmissionRow,
  kind: AnyKind,
  { content, isNewlySaved }: { content: unknown; isNewlySaved: boolean },
): Promise<BlockedTransition | 'taken' | undefined> {
  const isOutcomeKnown = row.state !== 'unknown';
  if (context.isSwitchedOff(kind.name)) return { to: 'needs-person', change: { reason: 'switched-off' } };
  const overdueTransition = findOverdueTransition(context, row, kind, content);
  if (overdueTransition) return overdueTransition;
  const retryingSince = row.retrying_since ?? row.created_at;
  if (context.clock.readShared().getTime() - retryingSince.getTime() > context.pace.giveUpMs) {
    return isOutcomeKnown && !row.maybe_sent
      ? { to: 'gave-up', change: { refusal: row.refusal, ...createGiveUpReason(row) } }
      : { to: 'needs-person', change: { reason: 'cannot-tell' } };
  }
  if (kind.unknownOutcome.strategy === 'repeat' && (await hasNewerEqualRow(context.db, row))) {
    return { to: 'needs-person', change: { reason: 'superseded' } };
  }
  const actor = { workspace: row.workspace, user: row.author };
  const isRecheck = row.reason === 'not-checked' || row.reason === 'repeat-not-checked';
  const subject = { project: kind.getProject(content)?.id, kind: kind.name, submission: row.id, isRecheck };
  switch (await context.checkPermission(actor, kind.getRole(content), subject)) {
    case 'yes': {
      const review =
        isOutcomeKnown && !isNewlySaved ? await context.takeForReview(row) : ('not-needed' as const);
      if (review === 'unknown') return createRecheckTransition(context, row);
      return review === 'taken' ? review : undefined;
    }
    case 'no':
      return {
        to: 'needs-person',
        change: { reason: isOutcomeKnown && !row.maybe_sent ? 'not-allowed' : 'cannot-reconcile' },
      };
    case 'unknown':
      return createRecheckTransition(context, row);
  }
}

/** Creates the transition for another permission check with backoff. The column `checks` counts these checks. */
function createRecheckTransition(context: SubmissionContext, row: SubmissionRow): BlockedTransition {
  const { clock, pace, random } = context;
  const checks = row.checks + 1;
  // The author must see the response to their form before the result of a retry.
  const waitMs = Math.max(
    pace.afterAcknowledgementMs,
    computeFullJitterMs(checks, pace.retryBackoff, random),
  );
  const nextAt = addMs(clock.readShared(), waitMs);
  return row.state === 'unknown'
    ? { to: 'unknown', change: { checks, next_at: nextAt, reason: 'repeat-not-checked' } }
    : {
        to: 'retryable',
        change: { checks, next_at: capAtDeadline(context, row, nextAt), reason: 'not-checked' },
      };
}

/** Finds the transition of an overdue submission. Undefined if the submission isn't overdue, or is in `unknown`. */
export function findOverdueTransition(
  context: Pick<SubmissionContext, 'clock'>,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): BlockedTransition | undefined {
  const publishAt = kind.getPublishAt?.(content);
  if (!publishAt || row.state === 'unknown' || publishAt > context.clock.now()) return undefined;
  return { to: 'needs-person', change: { reason: row.maybe_sent ? 'overdue-uncertain' : 'overdue' } };
}

/** Creates the state reason for `gave-up`. Without a reason, the service was unreachable. */
function createGiveUpReason({ reason }: SubmissionRow): Change<SubmissionRow> {
  if (reason === 'paused') return { reason: 'no-access' };
  if (reason === 'not-checked') return { reason: 'never-checked' };
  return reason === 'sending-stopped' ? { reason: 'sending-stopped-too-long' } : {};
}
