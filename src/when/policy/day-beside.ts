import type { DateTime } from 'luxon';
import type { BesideDay } from '../spoken.ts';

/** "The monday before" a day is never that day itself. */
export function dayBeside(day: DateTime, { weekday, count, isBefore }: BesideDay): DateTime {
  const away = isBefore ? (day.weekday - weekday + 7) % 7 : (weekday - day.weekday + 7) % 7;
  const days = (away === 0 ? 7 : away) + (count - 1) * 7;
  return isBefore ? day.minus({ days }) : day.plus({ days });
}
