import type { DigestPace } from './pace.ts';
import { localDate } from './slots.ts';

/** Too late to be posted: after 12 hours, or on another local day; just after midnight it still is of that day. */
export function isTooLate(
  pace: Pick<DigestPace, 'tooLateMs' | 'overMidnightMs'>,
  { since, zone, now }: { since: Date; zone: string; now: Date },
): boolean {
  const ms = now.getTime() - since.getTime();
  if (ms <= pace.overMidnightMs) return false;
  return ms > pace.tooLateMs || localDate(now, zone) !== localDate(since, zone);
}
