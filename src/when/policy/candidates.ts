import { DateTime, Duration } from 'luxon';
import { type DayExpression, dateOrdersOf, type Expression } from '../expression.ts';
import { workingDay } from '../grammar/feasts.ts';
import { type BesideDay, hasHours, type Week } from '../grammar/piece.ts';
import { TIME_ASSUMED } from '../moment.ts';
import { asCalendar, MINUTE_MS, midnightOf, type WallClock } from '../zones/wall-clock.ts';
import {
  candidateMinutes,
  DAY_MINUTES,
  defaultMinutes,
  END_OF_NIGHT,
  notesAboutHour,
  sayMinute,
} from './minutes.ts';

/** A wall clock, or now where there is none, and the time to pass after it (ms): hours and minutes are elapsed time. */
export interface Candidate {
  wall?: WallClock;
  elapsed: number;
}

export interface Candidates {
  walls: readonly Candidate[];
  notes: readonly string[];
  /** The last day of the period that was named, beyond which none is suggested. */
  lastDay?: DateTime | undefined;
}

/** The current time in the zone, and the author's today, which can be another date. Both are wall times, as if in UTC. */
interface Clock {
  now: DateTime;
  today: DateTime;
  /** For "same time" and a day without a time. Defaults to now, and to 09:00. */
  minuteOfDay?: number | undefined;
}

/** All wall clocks that the words can mean, the likeliest first. */
export function findCandidates(expression: Expression, clock: Clock): Candidates {
  const first = firstMeant(keepTime(expression, clock), clock);
  const { orFromNow } = expression;
  const atHour = readNumberAsHour(expression);
  const atHours = atHour && firstMeant(atHour, clock);
  // "Next week tue 14" is on the 14th only if that lies in next week.
  const isWeekNamed = atHour?.day?.kind === 'weekday' && atHour.day.week !== undefined;
  const dayOf = ({ wall = 0 }: Candidate) => +midnightOf(asCalendar(wall));
  const isInWeek = first.walls.some((day) => atHours?.walls.some((at) => dayOf(day) === dayOf(at)));
  if (atHours !== undefined && isWeekNamed && !isInWeek) return atHours;
  const others = [
    ...(orFromNow === undefined ? [] : afterNow(keepTime(expression, clock), orFromNow, clock.now).walls),
    ...(atHours?.walls ?? []),
  ];
  return { walls: [...first.walls, ...others], notes: first.notes, lastDay: lastDayIn(expression, clock) };
}

/** Gives the minute of the day to an expression that says neither a time nor hours to count. */
function keepTime(expression: Expression, { minuteOfDay }: Clock): Expression {
  const { time, part, plus } = expression;
  const saysOther = (time ?? part) !== undefined || (plus !== undefined && hasHours(plus));
  if (minuteOfDay === undefined || saysOther) return expression;
  const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
  const kept = { hour, minute, halfOfDay: 'settled', isMidnight: false } as const;
  return { ...expression, isSameTime: false, time: kept };
}

function lastDayIn({ day }: Expression, { today }: Clock): DateTime | undefined {
  if (day?.kind === 'date') return day.lastDay;
  const week = day?.kind === 'weekday' ? day.week : undefined;
  if (typeof week !== 'object') return undefined;
  return inWeekOf(today, SUNDAY, 'ahead' in week ? week.ahead : 0);
}

/** "Tue 14" at 14:00 on a Tuesday, if the 14th can be meant too. */
function readNumberAsHour({ day, ...rest }: Expression): Expression | undefined {
  if (day?.kind !== 'day-of-month' || rest.time !== undefined || rest.part !== undefined) return undefined;
  const { weekday, orHour } = day;
  if (weekday === undefined || orHour === undefined) return undefined;
  const { hour, week } = orHour;
  const halfOfDay = hour > 12 ? 'settled' : 'office-hours';
  return {
    ...rest,
    day: { kind: 'weekday', weekday, week },
    time: { hour, minute: 0, halfOfDay, isMidnight: false },
  };
}

function firstMeant(expression: Expression, clock: Clock): Candidates {
  if (expression.fromNow !== undefined) return afterNow(expression, expression.fromNow, clock.now);
  // "At quarter past" is the next time that the clock's minutes are at 15.
  if (expression.minutePastHour !== undefined) {
    const inThisHour = clock.now.startOf('hour').plus({ minutes: expression.minutePastHour });
    const wall = +(inThisHour > clock.now ? inThisHour : inThisHour.plus({ hours: 1 }));
    return { walls: [{ wall, elapsed: 0 }], notes: [] };
  }
  const { days, elapsed } = expression.plus === undefined ? { elapsed: 0 } : parted(expression.plus);
  const { walls, notes } = atNamed(expression, clock, days);
  return { walls: walls.map((wall) => ({ wall, elapsed })), notes };
}

interface NamedWalls {
  walls: readonly WallClock[];
  notes: readonly string[];
}

function afterNow(expression: Expression, after: Duration, now: DateTime): Candidates {
  const { days, elapsed } = parted(after);
  if (days.as('days') === 0) return { walls: [{ elapsed }], notes: [] };
  const day = now.plus(days);
  const { time, part, day: named } = expression;
  const saysNoTime = (time ?? part) === undefined && named?.kind !== 'weekday';
  if (saysNoTime || elapsed !== 0) {
    const notes = elapsed === 0 ? [`${TIME_ASSUMED}the same time as now.`] : [];
    return { walls: [{ wall: day.startOf('minute').toMillis(), elapsed }], notes };
  }
  const meant = named?.kind === 'weekday' ? onWeekday(named.weekday, now, days) : { days: [midnightOf(day)] };
  const { walls, notes } = on({ notes: [], ...meant }, expression, now);
  return { walls: walls.map((wall) => ({ wall, elapsed: 0 })), notes };
}

/**
 * "Friday in two weeks" is in that calendar week, or so many weeks after the coming one. "Friday in 3 days" is that day if
 * it's a Friday, or else either. "Friday in two months" is the first from that day on, or the last before it.
 */
function onWeekday(weekday: number, now: DateTime, after: Duration): CandidateDays {
  const nextAfter = (day: DateTime) => midnightOf(day, (weekday - (day.weekday % 7) + 7) % 7 || 7);
  const day = midnightOf(now).plus(after);
  if (+after === +Duration.fromObject({ weeks: after.weeks }))
    return { days: [inWeekOf(day, weekday), nextAfter(now).plus(after)], notes: [] };
  if (day.weekday % 7 === weekday) return { days: [day], notes: [] };
  const isFar = after.months + after.years > 0;
  const next = nextAfter(isFar ? day : now);
  return isFar
    ? { days: [next, midnightOf(next, -7)], notes: [] }
    : { days: [day, next], notes: [weekdayNote(day)] };
}

/** The candidates for a named day or time, plus the duration. */
function atNamed(expression: Expression, { now, today }: Clock, plus: Duration | undefined): NamedWalls {
  const { day } = expression;
  if (day === undefined) {
    const next = nextTime(expression, now);
    if (plus === undefined) return next;
    return { ...next, walls: next.walls.map((wall) => asCalendar(wall).plus(plus).toMillis()) };
  }
  // "A month after 1 november" is open although that day is over, unlike "a week before friday". The day that is over
  // isn't the nearer one in "a year after 1 december".
  const isCounted = day.kind === 'weekday' || (day.kind === 'date' && day.year === undefined);
  const isAfter = plus !== undefined && Number(plus) > 0 && Number(plus) <= HALF_A_YEAR_MS;
  const later = isCounted && isAfter ? plus : {};
  const isOpen = (candidate: DateTime): boolean =>
    minutesOn(candidate, expression, now).some((minute) => wallAt(candidate.plus(later), minute) > +now);
  // A date is the calendar's in its zone; "friday" is counted from the author's today.
  const from = day.kind === 'weekday' ? today : midnightOf(now).minus(later);
  const { beside } = expression;
  const { days, notes } = candidateDays(day, { today: from, isOpen });
  const meant = beside === undefined ? days : days.map((each) => dayBeside(each, beside));
  const moved = plus === undefined ? meant : meant.map((each) => each.plus(plus));
  return on({ days: moved, notes }, expression, now);
}

const wallAt = (day: DateTime, minute: number): WallClock => +day + minute * MINUTE_MS;

/** A time without a day: today, or tomorrow when it is over. */
function nextTime(expression: Expression, now: DateTime): NamedWalls {
  const today = midnightOf(now);
  const minutes = minutesOn(today, expression, now);
  const isAhead = (minute: number): boolean => wallAt(today, minute) > +now;
  const walls = minutes.map((minute) => wallAt(today, isAhead(minute) ? minute : minute + DAY_MINUTES));
  const [minute = 0] = minutes;
  // "In the morning", typed in a morning, is today or tomorrow.
  const isMorning = expression.time === undefined && expression.part?.endsWith('morning') === true;
  if (isMorning && isAhead(minute) && now.hour >= END_OF_NIGHT / 60) {
    const [other] = defaultMinutes(today.plus({ days: 1 }), expression.part, now);
    const both = [wallAt(today, minute), wallAt(today, other + DAY_MINUTES)];
    return { walls: minute > other ? both.reverse() : both, notes: [] };
  }
  const isMoved = !minutes.some(isAhead) && expression.time?.isMidnight !== true;
  const assumed = expression.time === undefined ? [`Read as ${sayMinute(minute)}.`] : [];
  const notes = isMoved ? [`${sayMinute(minute)} has passed, so tomorrow.`] : assumed;
  return { walls, notes: [...notes, ...notesAboutHour(minutes, expression, () => true)] };
}

function on({ days, notes }: CandidateDays, expression: Expression, now: DateTime): NamedWalls {
  const timed = days.map((day) => ({ day, minutes: minutesOn(day, expression, now) }));
  const walls = timed.flatMap(({ day, minutes }) => minutes.map((minute) => wallAt(day, minute)));
  const [{ day, minutes } = { day: undefined, minutes: [] }] = timed;
  const [minute] = minutes;
  const isAssumed = expression.time === undefined && !expression.isSameTime && minute !== undefined;
  const assumed = isAssumed ? [`${TIME_ASSUMED}${sayMinute(minute)}.`] : [];
  const isAhead = (each: number): boolean => day !== undefined && wallAt(day, each) > +now;
  return { walls, notes: [...notes, ...assumed, ...notesAboutHour(minutes, expression, isAhead)] };
}

function minutesOn(day: DateTime, expression: Expression, now: DateTime): readonly number[] {
  // "5 hours before tomorrow" is counted from its beginning, "2 hours from tomorrow" rather from the time that it is now.
  const { plus, time, part, isSameTime } = expression;
  const thisMinute = now.hour * 60 + now.minute;
  if (isSameTime) return [thisMinute];
  if (plus !== undefined && hasHours(plus) && (time ?? part) === undefined) return [0, thisMinute];
  if (time === undefined) return defaultMinutes(day, part, now);
  return candidateMinutes(time, expression, (minute) => wallAt(day, minute) > +now);
}

/** The longest half of a year. */
const HALF_A_YEAR_MS = 184 * DAY_MINUTES * MINUTE_MS;

/** Days and longer units are wall time, hours and shorter ones elapsed time. */
function parted(duration: Duration): { days: Duration; elapsed: number } {
  const days = duration.set({ hours: 0, minutes: 0, seconds: 0, milliseconds: 0 });
  return { days, elapsed: duration.minus(days).toMillis() };
}

/** How far ahead a date that needs a certain weekday, or a 29 February, is looked for. */
const YEARS_AHEAD = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const MONTHS_AHEAD = [...YEARS_AHEAD, 9, 10, 11, 12, 13];

/** A weekday in a date points to another year only if that is near. */
const YEARS_FOR_WEEKDAY = [1, 2];

const SUNDAY = 0;

interface CandidateDays {
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
function candidateDays(day: DayExpression, calendar: Calendar): CandidateDays {
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
  const found = dateOrdersOf(expression).flatMap((order) => nextDate(order, calendar) ?? []);
  found.push(...(expression.otherDates ?? []));
  const { weekday } = expression;
  const [date] = found;
  const fitting = found.filter((day) => weekday === undefined || day.weekday % 7 === weekday);
  // "Ven 11/12" has the order of its language if that day comes first.
  const isOrdered = typeof expression.isEitherOrder === 'string' && fitting[0] === date;
  const days = isOrdered ? fitting.filter((day) => date === undefined || day <= date) : fitting;
  const assumed = expression.isPeriod ? ['No day given: choose one.'] : [];
  const notes = [...assumed, ...notesAboutYear(expression, calendar.today)];
  if (date === undefined || weekday === undefined || fitting.length > 0) return { days, notes };
  const others = otherWithWeekday(expression, weekday, { date, today: calendar.today });
  return { days: [date, ...others], notes: [weekdayNote(date)] };
}

/** "The last friday of december", typed on the 31st: next year's isn't what everybody means. */
function notesAboutYear({ pastDates = [], ...date }: Kind<'date'>, today: DateTime): readonly string[] {
  const [pastDate] = pastDates;
  if (pastDate === undefined || date.year === undefined || date.otherDates?.length) return [];
  if (!comesYearly(pastDate, date)) return [];
  const coming = DateTime.utc(date.year, date.month, date.day);
  const isNearer = +today - +pastDate < +coming - +today;
  return isNearer ? [`${pastDate.toFormat('ccc d LLL')} has passed, so in ${date.year}.`] : [];
}

/** Whether days of the same name, one over and the next, are about a year apart, and not a month or a quarter. */
export function comesYearly(
  pastDate: DateTime,
  { year, month, day }: Pick<Kind<'date'>, 'year' | 'month' | 'day'>,
): boolean {
  return year !== undefined && DateTime.utc(year, month, day) > pastDate.plus({ months: 6 });
}

function nextDate({ year, month, day }: Kind<'date'>, { today, isOpen }: Calendar): DateTime | undefined {
  if (year !== undefined) return calendarDay(year, month, day);
  for (const date of datesWith({ day, month }, today, YEARS_AHEAD))
    if (+date === +today || (date > today && isOpen(date))) return date;
  return undefined;
}

/** Where the weekday is right and the date is not: the nearest such day, or the same date in a year close by. */
function otherWithWeekday(
  expression: Kind<'date'>,
  weekday: number,
  { date, today }: { date: DateTime; today: DateTime },
): readonly DateTime[] {
  const ahead = (weekday - (date.weekday % 7) + 7) % 7;
  const nearest = midnightOf(date, ahead > 3 ? ahead - 7 : ahead);
  // "Tomorrow, friday" on a Friday: what is over is no answer, so the one to come is meant as well.
  if (expression.year !== undefined) return nearest > today ? [nearest] : [nearest, midnightOf(nearest, 7)];
  const later = [...datesWith(expression, date, YEARS_FOR_WEEKDAY)];
  return [nearest, ...later.filter((day) => day.weekday % 7 === weekday)];
}

function daysOfMonth({ day, weekday }: Kind<'day-of-month'>, { today, isOpen }: Calendar): CandidateDays {
  let next: DateTime | undefined;
  for (const date of datesWith({ day }, today, MONTHS_AHEAD)) {
    if (!isOpen(date)) continue;
    next ??= date;
    if (weekday !== undefined && date.weekday % 7 !== weekday) continue;
    return next === date ? { days: [date], notes: [] } : { days: [date, next], notes: [weekdayNote(next)] };
  }
  return next === undefined ? { days: [], notes: [] } : { days: [next], notes: [weekdayNote(next)] };
}

/** "Next friday" with a Friday still to come in this week is either, the nearest first. "Friday" is today until it's over. */
function weekdays({ weekday, week }: Kind<'weekday'>, calendar: Calendar): readonly DateTime[] {
  const { today, isOpen } = calendar;
  const inNextWeek = inWeekOf(today, weekday, 1);
  const ahead = (weekday - (today.weekday % 7) + 7) % 7;
  const nearest = midnightOf(today, ahead === 0 ? 7 : ahead);
  if (typeof week === 'object') return daysOfWeek(week, weekday, calendar);
  if (week === 'coming') return [nearest];
  const next = +nearest === +inNextWeek ? [nearest] : [nearest, inNextWeek];
  if (week === 'next') return next;
  if (week === 'after-next') return next.map((day) => midnightOf(day, 7));
  return ahead === 0 && isOpen(today) ? [today, nearest] : [nearest];
}

/** The weekday of a day's week, which begins on Monday, and of a week some weeks later. */
function inWeekOf(day: DateTime, weekday: number, weeksLater = 0): DateTime {
  return midnightOf(day, ((weekday + 6) % 7) - (day.weekday - 1) + weeksLater * 7);
}

/** "Sunday next week" can begin that week. "Tuesday of week 7" is in this year, or in the next if it is over. */
function daysOfWeek(week: Week, weekday: number, { today, isOpen }: Calendar): readonly DateTime[] {
  if ('ahead' in week) {
    const day = inWeekOf(today, weekday, week.ahead);
    return week.mayBeginOnSunday && weekday === SUNDAY ? [day, midnightOf(day, -7)] : [day];
  }
  const { number, year } = week;
  const years = year === undefined ? [today.weekYear, today.weekYear + 1] : [year];
  const days = years
    .map((weekYear) => DateTime.fromObject({ weekYear, weekNumber: number }, { zone: 'utc' }))
    .filter((monday) => monday.isValid)
    .map((monday) => inWeekOf(monday, weekday));
  const next = days.find((day) => year !== undefined || isOpen(day));
  return next === undefined ? [] : [next];
}

/** The dates of the calendar with this day of the year, some years from now, or with this day of the month, some months. */
export function* datesWith(
  { day, month }: { day: number; month?: number },
  today: Pick<DateTime, 'year' | 'month'>,
  aheads: readonly number[],
): Generator<DateTime> {
  for (const ahead of aheads) {
    const months = today.year * 12 + today.month - 1 + ahead;
    const date =
      month === undefined
        ? calendarDay(Math.floor(months / 12), (months % 12) + 1, day)
        : calendarDay(today.year + ahead, month, day);
    if (date !== undefined) yield date;
  }
}

function calendarDay(year: number, month: number, day: number): DateTime | undefined {
  const date = DateTime.utc(year, month, day);
  return date.isValid ? date : undefined;
}

function weekdayNote(day: DateTime): string {
  return `${day.toFormat('d LLL yyyy')} is a ${day.toFormat('cccc')}.`;
}

/** "The monday before" a day is never that day itself. */
function dayBeside(day: DateTime, { weekday, count, way }: BesideDay): DateTime {
  if (weekday === 'working') return workingDay(day, way === 'before' ? -1 : 1, count);
  const away = way === 'before' ? (day.weekday - weekday + 7) % 7 : (weekday - day.weekday + 7) % 7;
  const days = (away === 0 ? 7 : away) + (count - 1) * 7;
  return way === 'before' ? day.minus({ days }) : day.plus({ days });
}
