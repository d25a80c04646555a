import { instantAfterGap, instantsShowing, type Range, wallClockAt } from '../../../when/when.ts';

const DAY_MS = 86_400_000;

/** How many days of its zone's calendar a range is; undefined where it is not whole days. */
export function wholeDays({ from, to, zone }: Range): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const start = wallClockAt(from.getTime(), zone);
  const end = wallClockAt(to.getTime(), zone) + 1;
  const isWhole = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isWhole ? (end - start) / DAY_MS : undefined;
}

/** As many whole days, some days later (or earlier, below zero) by the calendar; clock changes do not move them. */
export function daysLater(range: Range, days: number): Range {
  const { from, to, zone } = range;
  const moved = (instant: number) => startShowing(wallClockAt(instant, zone) + days * DAY_MS, zone);
  return {
    zone,
    ...(from && { from: new Date(moved(from.getTime())) }),
    ...(to && { to: new Date(moved(to.getTime() + 1) - 1) }),
  };
}

function startShowing(wall: number, zone: string): number {
  return instantsShowing(wall, zone)[0] ?? instantAfterGap(wall, zone);
}
