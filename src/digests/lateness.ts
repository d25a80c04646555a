import type { DigestPace } from './pace.ts';
import { localDate } from './slots.ts';

/**
 * Whether a message would be too late: after `tooLateMs`, or on another local day. The first `overMidnightMs` after its
 * moment count as the same day.
 */
export function isTooLate(
  pace: Pick<DigestPace, 'tooLateMs' | 'overMidnightMs'>,
  { since, zone, now }: { since: Date; zone: string; now: Date },
): boolean {
  const ms = now.getTime() - since.getTime();
  if (ms <= pace.overMidnightMs) return false;
  return ms > pace.tooLateMs || localDate(now, zone) !== localDate(since, zone);
}
