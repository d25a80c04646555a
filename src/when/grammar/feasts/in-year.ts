import { DateTime } from 'luxon';
import { nthWeekday } from '../nth-weekday.ts';

/** The day of a feast (a midnight in UTC) in a year; undefined where that year has none. */
export type InYear = (year: number) => DateTime | undefined;

/** The same date in each year. */
export const onDate =
  (month: number, day: number): InYear =>
  (year) =>
    DateTime.utc(year, month, day);

/** The nth such weekday (Sunday is 0) of a month; counted from its end where nth is negative. */
export const nthOf =
  (nth: number, weekday: number, month: number): InYear =>
  (year) =>
    nthWeekday(year, month, weekday, nth);

/** So many days after another feast, or before it. */
export const daysAfter =
  (days: number, from: InYear): InYear =>
  (year) =>
    from(year)?.plus({ days });
