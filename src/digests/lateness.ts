import type { DigestPace } from './pace.ts';
import { toLocalDate } from './slots.ts';

/**
 * Whether a message would be too late: more than `tooLateMs` after `dueAt`, or on another local day. Another day is
 * accepted within `midnightGraceMs` of `dueAt`.
 */
export function isTooLate(
  pace: Pick<DigestPace, 'tooLateMs' | 'midnightGraceMs'>,
  { dueAt, zone, now }: { dueAt: Date; zone: string; now: Date },
): boolean {
  const delayMs = now.getTime() - dueAt.getTime();
  if (delayMs <= pace.midnightGraceMs) return false;
  return delayMs > pace.tooLateMs || toLocalDate(now, zone) !== toLocalDate(dueAt, zone);
}
