import { DateTime } from 'luxon';
import type { DayExpression } from '../expression.ts';
import type { BesideDay, IsoWeek } from '../grammar/piece.ts';

/** How far ahead a date that needs a certain weekday, or a 29 February, is looked for. */
const YEARS_AHEAD = 8;
const MONTHS_AHEAD = 14;

/** A weekday in a date points to another year only if that is near. */
const YEARS_FOR_WEEKDAY = 2;

const SUNDAY = 0;

export interface CandidateDays {
  days: readonly DateTime[];
  notes: readonly string[];
}

/** `isOpen` tells whether the moment on a day is still to come. */
interface Calendar {
  today: DateTime;
  isOpen: (day: DateTime) => boolean;
}

/**
 * The days (midnights of wall clocks, in UTC) that an expression can mean, the likeliest first. None if the calendar has
 * no such day.
 */
export function candidateDays(day: DayExpression, calendar: Calendar): CandidateDays {
  switch (day.kind) {
    case 'date':
      return dates(day, calendar);
    case 'day-of-month':
      return daysOfMonth(day, calendar);
    case 'weekday':
      return { days: weekdays(day, calendar), notes: [] };
  }
}

type Kind<Name> = Extract<DayExpression, { kind: Name }>;

function dates(expression: Kind<'date'>, calendar: Calendar): CandidateDays {
  const { isEitherOrder } = expression;
  const isTurned = isEitherOrder === 'by-weekday' ? expression.weekday !== undefined : isEitherOrder;
  const orders = isTurned
    ? [expression, { ...expression, day: expression.month, month: expression.day }]
    : [expression];
  const found = orders.map((order) => nextDate(order, calendar)).filter((day) => day !== undefined);
  found.push(...(expression.otherDates ?? []));
  const { weekday } = expression;
  const fitting = found.filter((day) => weekday === undefined || day.weekday % 7 === weekday);
  const notes = expression.isPeriod ? ['No day given: choose one.'] : [];
  if (weekday === undefined || fitting.length > 0) return { days: fitting, notes };
  const [date] = found;
  if (date === undefined) return { days: [], notes: [] };
  const others = otherWithWeekday(expression, weekday, { date, today: calendar.today });
  return { days: [date, ...others], notes: [weekdayNote(date)] };
}

function nextDate({ year, month, day }: Kind<'date'>, { today, isOpen }: Calendar): DateTime | undefined {
  if (year !== undefined) return calendarDay(year, month, day);
  for (let ahead = 0; ahead <= YEARS_AHEAD; ahead += 1) {
    const date = calendarDay(today.year + ahead, month, day);
    if (date !== undefined && (+date === +today || (date > today && isOpen(date)))) return date;
  }
  return undefined;
}

/** Where the weekday is right and the date is not: the nearest such day, or the same date in a year close by. */
function otherWithWeekday(
  expression: Kind<'date'>,
  weekday: number,
  { date, today }: { date: DateTime; today: DateTime },
): readonly DateTime[] {
  const ahead = (weekday - (date.weekday % 7) + 7) % 7;
  const nearest = date.plus({ days: ahead > 3 ? ahead - 7 : ahead });
  // "Tomorrow, friday" on a Friday: what is over is no answer, so the one to come is meant as well.
  if (expression.year !== undefined)
    return nearest > today ? [nearest] : [nearest, nearest.plus({ weeks: 1 })];
  const later = Array.from({ length: YEARS_FOR_WEEKDAY }, (_, years) =>
    calendarDay(date.year + years + 1, expression.month, expression.day),
  ).filter((day) => day !== undefined);
  return [nearest, ...later.filter((day) => day.weekday % 7 === weekday)];
}

function daysOfMonth(
  { day: number, weekday }: Kind<'day-of-month'>,
  { today, isOpen }: Calendar,
): CandidateDays {
  let next: DateTime | undefined;
  let fitting: DateTime | undefined;
  for (let ahead = 0; ahead < MONTHS_AHEAD && fitting === undefined; ahead += 1) {
    const month = today.month - 1 + ahead;
    const day = calendarDay(today.year + Math.floor(month / 12), (month % 12) + 1, number);
    if (day === undefined || !isOpen(day)) continue;
    next ??= day;
    if (weekday === undefined || day.weekday % 7 === weekday) fitting = day;
  }
  if (next === undefined) return { days: [], notes: [] };
  if (next === fitting) return { days: [next], notes: [] };
  return { days: fitting === undefined ? [next] : [fitting, next], notes: [weekdayNote(next)] };
}

/**
 * Weeks begin on Monday; where they begin on Sunday, that day's week is another, so it is asked about.
 * "Next friday" with a Friday still to come in this week is either: the nearest comes first.
 */
function weekdays({ weekday, week }: Kind<'weekday'>, calendar: Calendar): readonly DateTime[] {
  const { today, isOpen } = calendar;
  const inThisWeek = today.startOf('week').plus({ days: (weekday + 6) % 7 });
  const inNextWeek = inThisWeek.plus({ weeks: 1 });
  const ahead = (weekday - (today.weekday % 7) + 7) % 7;
  const nearest = today.plus({ days: ahead === 0 ? 7 : ahead });
  if (typeof week === 'object') return dayOfIsoWeek(week, weekday, calendar);
  if (week === 'this-week') return [inThisWeek];
  if (week === 'week-after-next') return [inNextWeek.plus({ weeks: 1 })];
  if (week === 'coming') return [nearest];
  if (week === 'next-week') return weekday === SUNDAY ? [inNextWeek, inThisWeek] : [inNextWeek];
  const next = +nearest === +inNextWeek ? [nearest] : [nearest, inNextWeek];
  if (week === 'next') return next;
  if (week === 'after-next') return next.map((day) => day.plus({ weeks: 1 }));
  return ahead === 0 && isOpen(today) ? [today, nearest] : [nearest];
}

/** "Tuesday of week 7" is in this year, or in the next if it is over. */
function dayOfIsoWeek(week: IsoWeek, weekday: number, { today, isOpen }: Calendar): readonly DateTime[] {
  if ('ahead' in week) return [today.startOf('week').plus({ weeks: week.ahead, days: (weekday + 6) % 7 })];
  const { number, year } = week;
  const years = year === undefined ? [today.weekYear, today.weekYear + 1] : [year];
  const days = years
    .map((weekYear) => DateTime.fromObject({ weekYear, weekNumber: number }, { zone: 'utc' }))
    .filter((monday) => monday.isValid)
    .map((monday) => monday.plus({ days: (weekday + 6) % 7 }));
  const next = days.find((day) => year !== undefined || isOpen(day));
  return next === undefined ? [] : [next];
}

function calendarDay(year: number, month: number, day: number): DateTime | undefined {
  const date = DateTime.utc(year, month, day);
  return date.isValid ? date : undefined;
}

function weekdayNote(day: DateTime): string {
  return `${day.toFormat('d LLL yyyy')} is a ${day.toFormat('cccc')}.`;
}

const SATURDAY = 6;

/** "The monday before" a day is never that day itself; of a day's week its weekday is meant, or the day after all. */
export function daysBeside(day: DateTime, { weekday, count, way }: BesideDay): readonly DateTime[] {
  if (weekday === 'working') return [workingDay(day, way === 'before' ? -1 : 1, count)];
  if (way === 'in-week') {
    const inWeek = day.startOf('week').plus({ days: (weekday + 6) % 7 });
    return +inWeek === +day.startOf('day') ? [day] : [inWeek, day];
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
