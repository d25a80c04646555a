import type { OccurrenceRow } from './sql/occurrences.ts';

/** Stored in place of a picture's id: the message is sent without a picture. */
export const NO_PICTURE = 'none';

/** Keeps the reason `plain` (Slack refused the blocks, so the message is sent without them) in the next state. */
export function keepPlainReason(row: OccurrenceRow): { reason?: 'plain' } {
  return row.reason === 'plain' ? { reason: 'plain' } : {};
}

/** State reason: a backup was restored, and another instance may have sent the message since the backup was made. */
export const RESTORED = 'restored';

/** Keeps the reason `restored` in the next state. */
export function keepRestoredReason(row: OccurrenceRow): { reason?: typeof RESTORED } {
  return row.reason === RESTORED ? { reason: RESTORED } : {};
}
