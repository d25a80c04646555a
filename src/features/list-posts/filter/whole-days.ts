import { DAY_MS } from '../../../durations.ts';
import { instantAfterGap, instantsShowing, type Range, wallClockAt } from '../../../when/when.ts';

/** Counts the calendar days in a range. Undefined if the range doesn't start and end at midnight in its zone. */
export function countWholeDays({ from, to, zone }: Range): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const start = wallClockAt(from.getTime(), zone);
  const end = wallClockAt(to.getTime(), zone) + 1;
  const isWhole = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isWhole ? (end - start) / DAY_MS : undefined;
}

/** Shifts a range of whole days by `days`; negative is earlier. Keeps the wall times when the clocks change. */
export function shiftDays(range: Range, days: number): Range {
  const { from, to, zone } = range;
  const shiftInstant = (instant: number) =>
    findFirstInstant(wallClockAt(instant, zone) + days * DAY_MS, zone);
  return {
    zone,
    ...(from && { from: new Date(shiftInstant(from.getTime())) }),
    ...(to && { to: new Date(shiftInstant(to.getTime() + 1) - 1) }),
  };
}

/** Finds the first instant with this wall time. If clocks skip the wall time, returns the first instant after it. */
function findFirstInstant(wallTime: number, zone: string): number {
  return instantsShowing(wallTime, zone)[0] ?? instantAfterGap(wallTime, zone);
}
