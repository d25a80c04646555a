import { DateTime } from 'luxon';
import type { SpokenDay } from '../spoken.ts';

/** How far ahead a date that needs a certain weekday, or a 29 February, is looked for. */
const YEARS_AHEAD = 8;
const MONTHS_AHEAD = 14;

/** A weekday in a date points to another year only if that is near. */
const YEARS_FOR_WEEKDAY = 2;

const SUNDAY = 0;

export interface PossibleDays {
  days: readonly DateTime[];
  notes: readonly string[];
}

/**
 * The days (midnights of wall clocks, in UTC) that a spoken day can mean, the likeliest first; none where the
 * calendar has no such day. `isOpen` says whether the moment on that day is still to come.
 */
export function possibleDays(
  day: SpokenDay,
  today: DateTime,
  isOpen: (day: DateTime) => boolean,
): PossibleDays {
  switch (day.kind) {
    case 'date':
      return dates(day, today, isOpen);
    case 'day-of-month':
      return daysOfMonth(day, today, isOpen);
    case 'weekday':
      return { days: weekdays(day, today, isOpen), notes: [] };
  }
}

type SpokenDate = Extract<SpokenDay, { kind: 'date' }>;

function dates(spoken: SpokenDate, today: DateTime, isOpen: (day: DateTime) => boolean): PossibleDays {
  const orders = spoken.isEitherOrder
    ? [spoken, { ...spoken, day: spoken.month, month: spoken.day }]
    : [spoken];
  const found = orders.map((order) => nextDate(order, today, isOpen)).filter((day) => day !== undefined);
  found.push(...(spoken.or ?? []).map((date) => DateTime.fromISO(date, { zone: 'utc' })));
  const { weekday } = spoken;
  const fitting = found.filter((day) => weekday === undefined || day.weekday % 7 === weekday);
  const notes = spoken.isStretch ? ['No day given: choose one.'] : [];
  if (weekday === undefined || fitting.length > 0) return { days: fitting, notes };
  const [date] = found;
  if (date === undefined) return { days: [], notes: [] };
  return { days: [date, ...otherWithWeekday(spoken, weekday, { date, today })], notes: [weekdayNote(date)] };
}

function nextDate(
  { year, month, day }: SpokenDate,
  today: DateTime,
  isOpen: (day: DateTime) => boolean,
): DateTime | undefined {
  if (year !== undefined) return calendarDay(year, month, day);
  const years = Array.from({ length: YEARS_AHEAD + 1 }, (_, ahead) => today.year + ahead);
  const days = years
    .map((candidate) => calendarDay(candidate, month, day))
    .filter((date) => date !== undefined);
  return days.find((date) => date.hasSame(today, 'day') || (date > today && isOpen(date)));
}

/** Where the weekday is right and the date is not: the nearest such day, or the same date in a year close by. */
function otherWithWeekday(
  spoken: SpokenDate,
  weekday: number,
  { date, today }: { date: DateTime; today: DateTime },
): readonly DateTime[] {
  const ahead = (weekday - (date.weekday % 7) + 7) % 7;
  const nearest = date.plus({ days: ahead > 3 ? ahead - 7 : ahead });
  // "Tomorrow, friday" on a Friday: what is over is no answer, so the one to come is meant as well.
  if (spoken.year !== undefined) return nearest > today ? [nearest] : [nearest, nearest.plus({ weeks: 1 })];
  const later = Array.from({ length: YEARS_FOR_WEEKDAY }, (_, years) =>
    calendarDay(date.year + years + 1, spoken.month, spoken.day),
  ).filter((day) => day !== undefined);
  return [nearest, ...later.filter((day) => day.weekday % 7 === weekday)];
}

function daysOfMonth(
  spoken: Extract<SpokenDay, { kind: 'day-of-month' }>,
  today: DateTime,
  isOpen: (day: DateTime) => boolean,
): PossibleDays {
  const months = Array.from({ length: MONTHS_AHEAD }, (_, ahead) =>
    today.startOf('month').plus({ months: ahead }),
  );
  const open = months
    .map((month) => calendarDay(month.year, month.month, spoken.day))
    .filter((day) => day !== undefined)
    .filter((day) => isOpen(day));
  const [next] = open;
  if (next === undefined || spoken.weekday === undefined) return { days: open.slice(0, 1), notes: [] };
  const fitting = open.find((day) => day.weekday % 7 === spoken.weekday);
  if (fitting === undefined) return { days: [next], notes: [weekdayNote(next)] };
  return next === fitting
    ? { days: [next], notes: [] }
    : { days: [fitting, next], notes: [weekdayNote(next)] };
}

/**
 * Weeks begin on Monday; where they begin on Sunday, that day's week is another, so it is asked about.
 * "Next friday" with a Friday still to come in this week is either: the nearest comes first. */
function weekdays(
  { weekday, which }: Extract<SpokenDay, { kind: 'weekday' }>,
  today: DateTime,
  isOpen: (day: DateTime) => boolean,
): readonly DateTime[] {
  const inThisWeek = today.startOf('week').plus({ days: (weekday + 6) % 7 });
  const inNextWeek = inThisWeek.plus({ weeks: 1 });
  const ahead = (weekday - (today.weekday % 7) + 7) % 7;
  const nearest = today.plus({ days: ahead === 0 ? 7 : ahead });
  if (which === 'this-week') return [inThisWeek];
  if (which === 'week-after-next') return [inNextWeek.plus({ weeks: 1 })];
  if (which === 'next-week') return weekday === SUNDAY ? [inNextWeek, inThisWeek] : [inNextWeek];
  const next = nearest.hasSame(inNextWeek, 'day') ? [nearest] : [nearest, inNextWeek];
  if (which === 'next') return next;
  if (which === 'after-next') return next.map((day) => day.plus({ weeks: 1 }));
  return ahead === 0 && isOpen(today) ? [today, nearest] : [nearest];
}

function calendarDay(year: number, month: number, day: number): DateTime | undefined {
  const date = DateTime.utc(year, month, day);
  return date.isValid ? date : undefined;
}

function weekdayNote(day: DateTime): string {
  return `${day.toFormat('d LLL yyyy')} is a ${day.toFormat('cccc')}.`;
}
