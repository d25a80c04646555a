import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptOptions, attempt } from './attempt.ts';
import { findRowsById, hasNewerEqualRow } from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Fencing token of a new row. */
const FIRST_FENCE = 1;

/**
 * Makes the first attempt to send a row. Resolves with the row afterwards. Resolves with undefined if another instance
 * has changed the row, or after an error, in which case the next scan claims the row again.
 */
export async function makeFirstAttempt(
  context: SubmissionContext,
  row: SubmissionRow,
  options: AttemptOptions,
): Promise<SubmissionRow | undefined> {
  // Another instance may have claimed the row since its insert.
  if (row.state !== 'saved' || row.fence !== FIRST_FENCE) return waitUntilSent(context, row);
  try {
    const savedMs = context.clock.readShared().getTime() - row.created_at.getTime();
    if (savedMs > context.pace.saveMs && (await isReplaced(context, row)))
      return await discardReplaced(context, row);
    return await attempt(context, row, options);
  } catch (error) {
    context.log.error({ submission: row.id, err: error }, 'first attempt to send a submission failed');
    context.verbs.wake(row.lease_until ?? context.clock.readShared());
    return undefined;
  }
}

/**
 * Whether the author has submitted the content of a new row again in another form. This happens if a slow database
 * delayed the INSERT of the row.
 */
export async function isReplaced(context: SubmissionContext, row: SubmissionRow): Promise<boolean> {
  if (context.findKind(row.kind)?.unknownOutcome.strategy === 'repeat') return false;
  if (row.attempts > 0 || row.notified_at !== null) return false;
  return hasNewerEqualRow(context.db, row, 'same-author');
}

/** Discards a row that `isReplaced`. Resolves with undefined if another instance has changed the row. */
export function discardReplaced(
  context: SubmissionContext,
  row: SubmissionRow,
): Promise<SubmissionRow | undefined> {
  return context.verbs.settle(row, 'discarded', { reason: 'replaced' });
}

/** Waits while another request or the poll sends the row. Resolves with the row afterwards; undefined if it was deleted. */
export async function waitUntilSent(
  context: SubmissionContext,
  initialRow: SubmissionRow,
): Promise<SubmissionRow | undefined> {
  let row: SubmissionRow | undefined = initialRow;
  while (row && isBeingSent(context, row)) {
    await delay(context.pace.rereadIntervalMs);
    [row] = await findRowsById(context.db, [initialRow.id]);
  }
  return row;
}

function isBeingSent(context: SubmissionContext, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending' || row.state === 'retryable';
  return isSending && row.lease_until !== null && row.lease_until > context.clock.readShared();
}
