import { instantAfterGap, instantsShowing, type Range, wallClockAt } from '../../../when/when.ts';

const DAY_MS = 86_400_000;

/** Counts the calendar days in a range. Undefined if the range doesn't start and end at midnight in its zone. */
export function countWholeDays({ from, to, zone }: Range): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const start = wallClockAt(from.getTime(), zone);
  const end = wallClockAt(to.getTime(), zone) + 1;
  const isWhole = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isWhole ? (end - start) / DAY_MS : undefined;
}

/** Shifts a range of whole days by calendar days; negative is earlier. Keeps the wall times across clock changes. */
export function shiftDays(range: Range, days: number): Range {
  const { from, to, zone } = range;
  const moveByDays = (instant: number) => findFirstInstant(wallClockAt(instant, zone) + days * DAY_MS, zone);
  return {
    zone,
    ...(from && { from: new Date(moveByDays(from.getTime())) }),
    ...(to && { to: new Date(moveByDays(to.getTime() + 1) - 1) }),
  };
}

function findFirstInstant(wallTime: number, zone: string): number {
  return instantsShowing(wallTime, zone)[0] ?? instantAfterGap(wallTime, zone);
}
