import { DateTime, Info } from 'luxon';
import { joinWithAnd } from '../../../words.ts';
import { workingDay } from '../../grammar/feasts.ts';
import { type Limits, takeSteps } from '../../limits.ts';
import type { NotUnderstood } from '../../moment.ts';
import { sayMinute } from '../../policy/minutes.ts';
import {
  DAY_MS,
  dateOf,
  instantAfterGap,
  instantsShowing,
  MINUTE_MS,
  wallClockAt,
} from '../../zones/wall-clock.ts';
import { zoneName } from '../../zones.ts';

/** A time on the wall clock. */
interface TimeOfDay {
  hour: number;
  minute: number;
}

/** A day of the month by its number, the nth of a weekday (ISO, 1 is Monday), or the nth working day. -1 is the last. */
export type MonthDay = { day: number } | { weekday: number; nth: number } | { workday: number };

/** The days that repeat: every nth day, weekdays of every nth week, and so on. Weekdays are ISO, in order. */
export type RepeatedDays =
  | { unit: 'day' }
  | { unit: 'week'; weekdays: readonly number[] }
  | { unit: 'month'; monthDays: readonly MonthDay[] }
  | { unit: 'year'; month: number; day: number };

/** Dates that repeat, each at the same times. Dates (2026-12-01) are local. Limits are those of iCalendar's RRULE. */
export interface Recurrence {
  on: RepeatedDays;
  /** 2 is every other day, week, month or year, counted from `start`. */
  interval: number;
  /** In order, at least one. */
  times: readonly TimeOfDay[];
  /** The IANA name of the zone, if the words name one. */
  zone?: string;
  start?: string;
  until?: string;
  /** The number of occurrences from `start`. */
  count?: number;
  except?: readonly { from: string; to: string }[];
}

/** `notes` tell people what was assumed. The likeliest candidate is first. */
export type RecurrenceReading =
  | { kind: 'understood'; recurrence: Recurrence; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly Recurrence[]; notes: readonly string[] }
  | NotUnderstood;

/** All recurrences of several readings of a text. Undefined if none is understood. */
export function joinReadings(readings: readonly RecurrenceReading[]): RecurrenceReading | undefined {
  const understood = readings.filter((each) => each.kind !== 'not-understood');
  const all = understood.flatMap((each) =>
    each.kind === 'understood' ? [each.recurrence] : each.candidates,
  );
  const candidates = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  const notes = [...new Set(understood.flatMap((each) => each.notes))];
  const [recurrence, ...others] = candidates;
  if (recurrence === undefined || others.length > 0)
    return recurrence && { kind: 'ambiguous', candidates, notes };
  return { kind: 'understood', recurrence, notes };
}

/** "Mon, Wed and Fri". */
const SHORT_NAMES = Info.weekdays('short', { locale: 'en' });
const NAMES = Info.weekdays('long', { locale: 'en' });
const MONTHS = Info.months('short', { locale: 'en' });
const ORDINALS = ['first', 'second', 'third', 'fourth'];

const GROUPS = new Map([
  ['12345', 'weekdays'],
  ['67', 'weekends'],
  ['1234567', 'every day'],
]);

/**
 * Renders "weekdays at 08:30 (Berlin)", "every other Monday at 09:00, from 1 Dec 2026", or "the last Friday of every
 * month at 09:00 and 17:00, until 31 Mar 2027". `understandRecurrence` reads the text as the same recurrence.
 */
export function renderRecurrence(recurrence: Recurrence): string {
  const { times, start, until, count, except = [], zone } = recurrence;
  const exceptions = except.map(({ from, to }) => [...new Set([from, to])].map(renderDate).join(' to '));
  const limits = [
    ...(except.length === 0 ? [] : [` except ${exceptions.join(', ')}`]),
    ...(start === undefined ? [] : [`, from ${renderDate(start)}`]),
    ...(until === undefined ? [] : [`, until ${renderDate(until)}`]),
    ...(count === undefined ? [] : [`, ${count} ${count === 1 ? 'time' : 'times'}`]),
    ...(zone === undefined ? [] : [` (${zoneName(zone)})`]),
  ];
  const timeTexts = times.map(({ hour, minute }) => sayMinute(hour * 60 + minute));
  const hours = hoursBetween(recurrence);
  if (hours !== undefined) return `every ${hours} hours${limits.join('')}`;
  return `${renderDays(recurrence)} at ${joinWithAnd(timeTexts)}${limits.join('')}`;
}

/** 3 for the times of "every 3 hours", which are counted from midnight. */
function hoursBetween({ on, interval, times }: Recurrence): number | undefined {
  const hours = 24 / times.length;
  const isEven = times.every(({ hour, minute }, index) => hour === index * hours && minute === 0);
  return on.unit === 'day' && interval === 1 && times.length > 1 && isEven ? hours : undefined;
}

/** Renders the days of a recurrence: "weekdays", "every other Monday". */
function renderDays({ on, interval }: Recurrence): string {
  const every = interval === 1 ? 'every' : interval === 2 ? 'every other' : `every ${interval}`;
  const unit = interval > 2 ? `${on.unit}s` : on.unit;
  switch (on.unit) {
    case 'day':
      return `${every} ${unit}`;
    case 'week': {
      const [only, ...others] = on.weekdays;
      const isOne = only !== undefined && others.length === 0;
      if (isOne && interval <= 2) return `${every} ${NAMES[only - 1]}`;
      const days =
        GROUPS.get(on.weekdays.join('')) ?? joinWithAnd(on.weekdays.map((day) => SHORT_NAMES[day - 1] ?? ''));
      return interval === 1 ? days : `${every} ${unit} on ${days}`;
    }
    case 'month':
      return `the ${joinWithAnd(on.monthDays.map(renderMonthDay))} of ${every} ${unit}`;
    case 'year':
      return `${every} ${unit} on ${on.day} ${MONTHS[on.month - 1]}`;
  }
}

function renderMonthDay(monthDay: MonthDay): string {
  if ('weekday' in monthDay) return `${ORDINALS[monthDay.nth - 1] ?? 'last'} ${NAMES[monthDay.weekday - 1]}`;
  if ('workday' in monthDay) return `${ORDINALS[monthDay.workday - 1] ?? 'last'} working day`;
  const { day } = monthDay;
  if (day === -1) return 'last day';
  const ending = day > 3 && day < 21 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function renderDate(date: string): string {
  return DateTime.fromISO(date, { locale: 'en' }).toFormat('d LLL yyyy');
}

export type ZonedRecurrence = Recurrence & {
  zone: string;
  /**
   * Dates that are left out, although `count` counts them, as iCalendar does with its EXDATE. So they may change without
   * another date. They aren't part of the words.
   */
  leftOut?: readonly { from: string; to: string }[];
};

/**
 * One occurrence. `date` (2026-12-01) is the intended local date. A clock change can move the instant to another date.
 */
interface Occurrence {
  date: string;
  instant: Date;
}

/**
 * Days in which the next occurrence is found. A zone skips at most one date. The fifth weekday of a month can be missing
 * for three months, and 29 February for eight years.
 */
const SEARCHED_DAYS = { day: 3, week: 16, month: 187, year: 2_923 } as const;

/** The cost of about ten lookups of a zone's offset. */
const STEPS_PER_OCCURRENCE = 5;

/** Days that cost a step if they have no occurrence. */
const DAYS_PER_STEP = 500;

/** Later than `after`, and no later than `until`. `limits` are set for a part of a reading. */
interface Between {
  after: Date;
  until: Date;
  limits?: Limits | undefined;
}

/** Lists the occurrences in order: all, or the first `most`. */
export function occurrencesOf(
  recurrence: ZonedRecurrence,
  { after, until, limits, most = Number.POSITIVE_INFINITY }: Between & { most?: number },
): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const first = dayBefore(after, recurrence.zone);
  for (const occurrence of occurrencesOn(recurrence, first, until.getTime() + 2 * DAY_MS, limits)) {
    if (occurrence.instant > until) break;
    if (occurrence.instant > after) found.push(occurrence);
    if (found.length >= most) break;
  }
  return found;
}

export function nextOccurrence(
  recurrence: ZonedRecurrence,
  after: Date,
  limits?: Limits,
): Occurrence | undefined {
  const { on, interval, start, zone } = recurrence;
  const first = Math.max(dayBefore(after, zone), start === undefined ? 0 : dayOf(start));
  // The last day ends later in the west.
  const until = new Date(first + (SEARCHED_DAYS[on.unit] * interval + 2) * DAY_MS);
  return occurrencesOf(recurrence, { after, until, limits, most: 1 })[0];
}

/** Counts the occurrences. Looks up no instants of the days in between, because "until 2099" has decades of them. */
export function countOccurrences(recurrence: ZonedRecurrence, { after, until, limits }: Between): number {
  const { count, zone, times } = recurrence;
  const [first, last] = [dayBefore(after, zone), dayBefore(until, zone) + 2 * DAY_MS];
  const countNear = (from: number, to: number): number => {
    const near = [...occurrencesOn(recurrence, from, to, limits)];
    return near.filter(({ instant }) => after < instant && instant <= until).length;
  };
  if (count !== undefined || last - first <= 6 * DAY_MS) return countNear(first, last);
  const inner = countDays(recurrence, { first: first + 3 * DAY_MS, last: last - 3 * DAY_MS, limits });
  return countNear(first, first + 2 * DAY_MS) + inner * times.length + countNear(last - 2 * DAY_MS, last);
}

/** Counts days and weeks by their period, and months and years by each day. */
function countDays(
  recurrence: Recurrence,
  { first, last, limits }: { first: number; last: number; limits: Limits | undefined },
): number {
  const { on, interval, start, until, except } = recurrence;
  const count = (from: number, to: number): number => [...daysOf(recurrence, from, to, limits)].length;
  const periodMs = interval * DAY_MS * (on.unit === 'week' ? 7 : 1);
  const isPeriodic = (on.unit === 'day' || on.unit === 'week') && (start ?? until ?? except) === undefined;
  const periods = isPeriodic ? Math.floor((last - first) / periodMs) : 0;
  return periods * count(first, first + periodMs - DAY_MS) + count(first + periods * periodMs, last);
}

/** All occurrences on the days from `first` to `last`, which are midnights in UTC. */
function* occurrencesOn(
  recurrence: ZonedRecurrence,
  first: number,
  last: number,
  limits: Limits | undefined,
): Generator<Occurrence> {
  const { count = Number.POSITIVE_INFINITY, start, times, zone, leftOut = [] } = recurrence;
  const isLeftOut = createDateFilter(leftOut);
  // Earlier occurrences count as well.
  const isCounted = start !== undefined && Number.isFinite(count);
  let left = count;
  for (const day of daysOf(recurrence, isCounted ? dayOf(start) : first, last, limits)) {
    for (const time of times) {
      if (limits !== undefined) takeSteps(limits, STEPS_PER_OCCURRENCE);
      const occurrence = occurrenceAt(day, time, zone);
      if (occurrence === undefined) continue;
      if (left <= 0) return;
      left -= 1;
      if (day >= first && !isLeftOut(day)) yield occurrence;
    }
  }
}

function* daysOf(
  recurrence: Recurrence,
  first: number,
  last: number,
  limits: Limits | undefined,
): Generator<number> {
  const { start, until, except = [] } = recurrence;
  const from = start === undefined ? first : Math.max(first, dayOf(start));
  const to = until === undefined ? last : Math.min(last, dayOf(until));
  const isException = createDateFilter(except);
  for (let day = from; day <= to; day += DAY_MS) {
    if (limits !== undefined && (day - from) % (DAYS_PER_STEP * DAY_MS) === 0) takeSteps(limits, 1);
    if (!isException(day) && repeatsOn(day, recurrence)) yield day;
  }
}

/** Creates a function that finds out whether a day is in one of the ranges. */
function createDateFilter(dates: readonly { from: string; to: string }[]): (day: number) => boolean {
  const ranges = dates.map(({ from, to }) => ({ from: dayOf(from), to: dayOf(to) }));
  return (day) => ranges.some(({ from, to }) => from <= day && day <= to);
}

/** Whether a recurrence has this day. Without a start, intervals are counted from 1970. */
function repeatsOn(day: number, { on, interval, start }: Recurrence): boolean {
  const startDay = start === undefined ? 0 : dayOf(start);
  const isNth = (difference: number): boolean => difference % interval === 0;
  if (on.unit === 'day') return isNth((day - startDay) / DAY_MS);
  if (on.unit === 'week')
    return on.weekdays.includes(weekdayOf(day)) && isNth((mondayOf(day) - mondayOf(startDay)) / DAY_MS / 7);
  const [date, startDate] = [new Date(day), new Date(startDay)];
  const years = date.getUTCFullYear() - startDate.getUTCFullYear();
  if (on.unit === 'year')
    return date.getUTCMonth() + 1 === on.month && date.getUTCDate() === on.day && isNth(years);
  const months = years * 12 + date.getUTCMonth() - startDate.getUTCMonth();
  return isNth(months) && on.monthDays.some((monthDay) => isMonthDay(date, monthDay));
}

function isMonthDay(date: Date, monthDay: MonthDay): boolean {
  const day = date.getUTCDate();
  const daysLeft = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - day;
  if ('day' in monthDay) return monthDay.day === -1 ? daysLeft === 0 : day === monthDay.day;
  if ('workday' in monthDay) {
    const ofMonth = DateTime.fromMillis(date.getTime(), { zone: 'utc' });
    const [step, edge] =
      monthDay.workday < 0
        ? ([-1, ofMonth.endOf('month').plus({ days: 1 }).startOf('day')] as const)
        : ([1, ofMonth.startOf('month').minus({ days: 1 })] as const);
    return +workingDay(edge, step, Math.abs(monthDay.workday)) === date.getTime();
  }
  if (weekdayOf(date.getTime()) !== monthDay.weekday) return false;
  return monthDay.nth === -1 ? daysLeft < 7 : Math.ceil(day / 7) === monthDay.nth;
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00Z`);
}

/** ISO: 1 is Monday and 7 Sunday. */
function weekdayOf(day: number): number {
  return new Date(day).getUTCDay() || 7;
}

function mondayOf(day: number): number {
  return day - (weekdayOf(day) - 1) * DAY_MS;
}

/** The day before the local date of an instant, because a gap can move an occurrence of that day into this one. */
function dayBefore(instant: Date, zone: string): number {
  const wall = wallClockAt(instant.getTime(), zone);
  return Math.floor(wall / DAY_MS) * DAY_MS - DAY_MS;
}

/** A skipped time is moved forward, and a repeated one is the first. Undefined if the zone skips the date. */
function occurrenceAt(day: number, { hour, minute }: TimeOfDay, zone: string): Occurrence | undefined {
  const wall = day + (hour * 60 + minute) * MINUTE_MS;
  const [shown] = instantsShowing(wall, zone);
  const isSkipped = (time: number) => instantsShowing(time, zone).length === 0;
  // Pacific/Apia went from 29 to 31 December 2011, so neither end of the 30th exists.
  if (shown === undefined && [day, day + DAY_MS - MINUTE_MS].every(isSkipped)) return undefined;
  return { date: dateOf(day), instant: new Date(shown ?? instantAfterGap(wall, zone)) };
}
