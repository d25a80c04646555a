import { attempt } from './attempt.ts';
import { waitUntilSent } from './make-first-attempt.ts';
import { findRowsById } from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

const STILL_WAITING_TEXT = 'I’ve just tried again, and it still didn’t work.';
const NOT_TRIED_TEXT = 'Not tried yet. I’ll try as soon as the service lets me.';

/**
 * Retries a waiting submission before its next attempt is due. The retry deadline doesn't change. `probe`: see
 * `Breaker.enter`.
 */
export async function retryNow(
  context: SubmissionContext,
  row: SubmissionRow,
  probe: 'by-person' | 'now',
): Promise<{ row: SubmissionRow; note?: string }> {
  const isBeingTried = row.lease_until !== null && row.lease_until > context.clock.readShared();
  const change = { reason: row.reason, refusal: row.refusal };
  const claimedRow = isBeingTried ? undefined : await context.verbs.claim(row, 'retryable', change);
  if (claimedRow)
    await attempt(context, claimedRow, { probe, notifyAfterMs: context.pace.notificationDelayMs });
  else await waitUntilSent(context, row);
  const [currentRow = row] = await findRowsById(context.db, [row.id]);
  if (currentRow.state !== 'retryable' || currentRow.reason !== null) return { row: currentRow };
  const wasTried = currentRow.changed_at > row.changed_at;
  return { row: currentRow, note: wasTried ? STILL_WAITING_TEXT : NOT_TRIED_TEXT };
}
