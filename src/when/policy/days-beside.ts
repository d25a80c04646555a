import type { DateTime } from 'luxon';
import type { BesideDay } from '../spoken.ts';

const SATURDAY = 6;

/** "The monday before" a day is never that day itself; of a day's week its weekday is meant, or the day after all. */
export function daysBeside(day: DateTime, { weekday, count, way }: BesideDay): readonly DateTime[] {
  if (weekday === 'working') return [workingDay(day, way === 'before' ? -1 : 1, count)];
  if (way === 'in-week') {
    const inWeek = day.startOf('week').plus({ days: (weekday + 6) % 7 });
    return inWeek.hasSame(day, 'day') ? [day] : [inWeek, day];
  }
  const away = way === 'before' ? (day.weekday - weekday + 7) % 7 : (weekday - day.weekday + 7) % 7;
  const days = (away === 0 ? 7 : away) + (count - 1) * 7;
  return [way === 'before' ? day.minus({ days }) : day.plus({ days })];
}

function workingDay(day: DateTime, step: 1 | -1, count: number): DateTime {
  if (count === 0) return day;
  const next = day.plus({ days: step });
  return workingDay(next, step, count - (next.weekday < SATURDAY ? 1 : 0));
}
