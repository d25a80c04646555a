import { DateTime } from 'luxon';

/**
 * The nth such weekday (Sunday is 0) of a month, undefined where the month has no fifth; counted from the
 * month's end where nth is negative: -1 is the last, which each month has.
 */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): DateTime | undefined {
  const first = DateTime.utc(year, month, 1);
  const last = first.endOf('month').startOf('day');
  const day =
    nth < 0
      ? last.minus({ days: ((last.weekday - weekday + 7) % 7) + (-nth - 1) * 7 })
      : first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
  return day.month === month ? day : undefined;
}
