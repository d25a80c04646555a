import { addMs } from '../delivery/add-ms.ts';
import type { Change } from '../delivery/definition.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** State reasons that a wait preserves. */
const PRESERVED_REASONS = ['paused', 'halted', 'repeated', 'repeat-not-checked', 'restored'] as const;

/** Reschedules a row in its state and ends its claim. `ignoreDeadline` is for rows whose content can't be read. */
export function reschedule(
  machine: Machine,
  row: SubmissionRow,
  waitMs: number,
  { ignoreDeadline = false, ...change }: Change<SubmissionRow> & { ignoreDeadline?: boolean } = {},
): Promise<SubmissionRow | undefined> {
  const reason = change.reason ?? PRESERVED_REASONS.find((preserved) => preserved === row.reason) ?? null;
  const nextAt = addMs(machine.clock(), waitMs);
  const next_at = row.state === 'retryable' && !ignoreDeadline ? capAtDeadline(machine, row, nextAt) : nextAt;
  // A row in `sending` keeps its lease until the call has ended.
  if (row.state === 'sending') throw new Error('a submission in `sending` cannot be rescheduled');
  return machine.delivery.transition(row, row.state, { ...change, reason, next_at });
}

/**
 * `next`, or the moment at which the row is overdue or given up if that is earlier, so that the author is notified in
 * time.
 */
export function capAtDeadline(machine: Machine, row: SubmissionRow, nextAt: Date): Date {
  const nowMs = machine.clock().getTime();
  const untilPublishingMs = row.publish_at
    ? row.publish_at.getTime() - machine.now().getTime()
    : Number.POSITIVE_INFINITY;
  const retriedMs = nowMs - (row.retrying_since ?? row.created_at).getTime();
  const remainingMs = Math.max(0, Math.min(untilPublishingMs, machine.pace.giveUpMs - retriedMs));
  return new Date(Math.min(nextAt.getTime(), nowMs + remainingMs + 1));
}
