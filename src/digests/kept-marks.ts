import type { OccurrenceRow } from './sql/occurrences.ts';

/** In place of a picture's id: it goes without. */
export const NO_FILE = 'none';

/** Slack did not take its blocks: it is tried again without them. */
export function keptWhy(row: OccurrenceRow): { reason?: 'plain' } {
  return row.reason === 'plain' ? { reason: 'plain' } : {};
}

/** Why nobody knows: a backup was put back, and another instance may have posted since it was made. */
export const RESTORED = 'restored';

export function restoredMark(row: OccurrenceRow): { reason?: typeof RESTORED } {
  return row.reason === RESTORED ? { reason: RESTORED } : {};
}
