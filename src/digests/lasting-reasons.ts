import type { OccurrenceRow } from './sql/occurrences.ts';

/** Stored in the column `file` instead of a file id: the message is sent without its picture. */
export const NO_PICTURE = 'none';

/** Copies the reason `plain` to the next state: Slack refused the blocks, so the message is sent without them. */
export function copyPlainReason(row: OccurrenceRow): { reason?: 'plain' } {
  return row.reason === 'plain' ? { reason: 'plain' } : {};
}

/** State reason: a backup was restored, and another instance may have sent the message since the backup. */
export const RESTORED = 'restored';

/** Copies the reason `restored` to the next state. */
export function copyRestoredReason(row: OccurrenceRow): { reason?: typeof RESTORED } {
  return row.reason === RESTORED ? { reason: RESTORED } : {};
}
