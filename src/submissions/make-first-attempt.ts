import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptOptions, attempt } from './attempt.ts';
import { findRowsById } from './sql/submissions.ts';
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
    return await attempt(context, row, options);
  } catch (error) {
    context.log.error({ submission: row.id, err: error }, 'first attempt to send a submission failed');
    context.verbs.wake(row.lease_until ?? context.clock.readShared());
    return undefined;
  }
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
