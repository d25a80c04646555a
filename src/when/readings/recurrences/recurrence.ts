import { DateTime, Info } from 'luxon';
import type { NotUnderstood } from '../../moment.ts';
import { sayMinute } from '../../policy/minutes.ts';
import { zoneName } from '../../zones.ts';

/** A time on the wall clock. */
export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** A day of the month by its number, or the nth of a weekday (ISO, 1 is Monday). -1 is the last. */
export type MonthDay = { day: number } | { weekday: number; nth: number };

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

/** Days of every week at one time, without an end. */
export interface WeeklySchedule {
  days: readonly number[];
  time: TimeOfDay;
}

export function toRecurrence<Schedule extends WeeklySchedule & { zone: string }>(
  schedule: Schedule,
): Recurrence & { zone: string };
export function toRecurrence(schedule: WeeklySchedule & { zone?: string }): Recurrence;
export function toRecurrence({ days, time, zone }: WeeklySchedule & { zone?: string }): Recurrence {
  const on = { unit: 'week' as const, weekdays: days };
  return { on, interval: 1, times: [time], ...(zone !== undefined && { zone }) };
}

/** Undefined if a recurrence is anything but days of every week at one time, without an end. */
export function toWeeklySchedule(recurrence: Recurrence): (WeeklySchedule & { zone?: string }) | undefined {
  const { on, interval, times, zone, start, until, count, except } = recurrence;
  const [time, ...otherTimes] = times;
  const isLimited = [start, until, count, except].some((limit) => limit !== undefined);
  if (on.unit !== 'week' || interval !== 1 || !time || otherTimes.length > 0 || isLimited) return undefined;
  return { days: on.weekdays, time, ...(zone !== undefined && { zone }) };
}

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
  const limits = [
    ...(except.length === 0 ? [] : [` except ${except.map(renderDates).join(', ')}`]),
    ...(start === undefined ? [] : [`, from ${renderDate(start)}`]),
    ...(until === undefined ? [] : [`, until ${renderDate(until)}`]),
    ...(count === undefined ? [] : [`, ${count} times`]),
    ...(zone === undefined ? [] : [` (${zoneName(zone)})`]),
  ];
  const timeTexts = times.map(({ hour, minute }) => sayMinute(hour * 60 + minute));
  return `${renderDays(recurrence)} at ${joinWords(timeTexts)}${limits.join('')}`;
}

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
        GROUPS.get(on.weekdays.join('')) ?? joinWords(on.weekdays.map((day) => SHORT_NAMES[day - 1]));
      return interval === 1 ? days : `${every} ${unit} on ${days}`;
    }
    case 'month':
      return `the ${joinWords(on.monthDays.map(renderMonthDay))} of ${every} ${unit}`;
    case 'year':
      return `${every} ${unit} on ${on.day} ${MONTHS[on.month - 1]}`;
  }
}

function renderMonthDay(monthDay: MonthDay): string {
  if ('weekday' in monthDay) return `${ORDINALS[monthDay.nth - 1] ?? 'last'} ${NAMES[monthDay.weekday - 1]}`;
  const { day } = monthDay;
  if (day === -1) return 'last day';
  const ending = day > 3 && day < 21 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function renderDates({ from, to }: { from: string; to: string }): string {
  return from === to ? renderDate(from) : `${renderDate(from)} to ${renderDate(to)}`;
}

function renderDate(date: string): string {
  return DateTime.fromISO(date, { locale: 'en' }).toFormat('d LLL yyyy');
}

function joinWords(words: readonly (string | undefined)[]): string {
  return words.length < 2 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
