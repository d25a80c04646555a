import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptOptions, attempt } from './attempt.ts';
import type { Machine } from './machine.ts';
import { findRowsById, type SubmissionRow } from './sql/submissions.ts';

/** Fencing token of a row that was claimed only by its insert. */
const FIRST_FENCE = 1;

/** Makes the first attempt to send a row. If the attempt throws, the row stays in its state for the next scan. */
export async function makeFirstAttempt(
  machine: Machine,
  row: SubmissionRow,
  options: AttemptOptions,
): Promise<void> {
  // Another instance may have claimed the row since its insert.
  if (row.state !== 'saved' || row.fence !== FIRST_FENCE) return waitUntilSent(machine, row);
  try {
    await attempt(machine, row, options);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'first attempt to send a submission failed');
    machine.wake(row.lease_until ?? machine.clock());
  }
}

/** Waits until another request, perhaps in another instance, has sent the row. */
export async function waitUntilSent(machine: Machine, initialRow: SubmissionRow): Promise<void> {
  let row: SubmissionRow | undefined = initialRow;
  while (row && isBeingSent(machine, row)) {
    await delay(machine.pace.followMs);
    [row] = await findRowsById(machine.db, [initialRow.id]);
  }
}

function isBeingSent(machine: Machine, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending';
  return isSending && row.lease_until !== null && row.lease_until > machine.clock();
}
