import { addMs } from '../delivery/add-ms.ts';
import type { Change } from '../delivery/definition.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** State reasons that rescheduling doesn't change. */
const PRESERVED_REASONS = ['paused', 'halted', 'repeated', 'repeat-not-checked', 'restored'] as const;

/** Changes a row's due time, keeps its state and ends its claim. `ignoreDeadline`: for rows with unreadable content. */
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
 * Returns the earlier of `nextAt` and the row's deadline, so that the author is notified in time. At the deadline the
 * row is overdue, or Upnext gives up.
 */
export function capAtDeadline(machine: Machine, row: SubmissionRow, nextAt: Date): Date {
  const now = machine.clock().getTime();
  const untilPublishingMs = row.publish_at
    ? row.publish_at.getTime() - machine.now().getTime()
    : Number.POSITIVE_INFINITY;
  const retriedMs = now - (row.retrying_since ?? row.created_at).getTime();
  const remainingMs = Math.max(0, Math.min(untilPublishingMs, machine.pace.giveUpMs - retriedMs));
  return new Date(Math.min(nextAt.getTime(), now + remainingMs + 1));
}
