import type { DateTime, Duration, DurationLikeObject } from 'luxon';
import type { DateOrder } from '../date-order.ts';

interface PartHours {
  /** Stands for the part if no other hour is said. */
  hour: number;
  /** The first hour and the end of the part as a stretch of time. */
  stretch: readonly [first: number, end: number];
  /** The hours between which people put a time in the part. 24 and more are in the night that follows. */
  times: readonly [first: number, end: number];
}

/** Parts of a day that people name. */
export const PARTS_OF_DAY = {
  'early-morning': { hour: 6, stretch: [5, 9], times: [0, 9] },
  'start-of-morning': { hour: 7, stretch: [6, 9], times: [4, 10] },
  breakfast: { hour: 8, stretch: [6, 10], times: [5, 12] },
  am: { hour: 9, stretch: [6, 12], times: [0, 12] },
  morning: { hour: 9, stretch: [6, 12], times: [1, 12] },
  'mid-morning': { hour: 10, stretch: [9, 11], times: [8, 12] },
  'late-morning': { hour: 11, stretch: [10, 12], times: [9, 12] },
  midday: { hour: 12, stretch: [11, 14], times: [10, 16] },
  'early-afternoon': { hour: 13, stretch: [12, 15], times: [12, 17] },
  pm: { hour: 15, stretch: [12, 18], times: [12, 24] },
  afternoon: { hour: 15, stretch: [12, 18], times: [12, 19] },
  'mid-afternoon': { hour: 15, stretch: [14, 16], times: [12, 18] },
  'late-afternoon': { hour: 17, stretch: [16, 18], times: [14, 19] },
  /** Spanish "tarde": until the sun is gone. */
  'until-sunset': { hour: 17, stretch: [16, 20], times: [12, 21] },
  'early-evening': { hour: 17, stretch: [17, 19], times: [17, 21] },
  /** Japanese 夕方. */
  dusk: { hour: 17, stretch: [17, 19], times: [16, 21] },
  evening: { hour: 18, stretch: [18, 22], times: [17, 25] },
  dinner: { hour: 18, stretch: [18, 21], times: [17, 22] },
  'late-evening': { hour: 21, stretch: [21, 24], times: [20, 25] },
  night: { hour: 21, stretch: [20, 24], times: [18, 25] },
  tonight: { hour: 21, stretch: [20, 24], times: [17, 25] },
  'late-night': { hour: 23, stretch: [22, 24], times: [22, 30] },
  /** Italian "notte": from 23:00 or from midnight. */
  'dead-of-night': { hour: 23, stretch: [22, 24], times: [22, 30] },
  late: { hour: 17, stretch: [16, 24], times: [15, 25] },
} as const satisfies Readonly<Record<string, PartHours>>;

export type PartOfDay = keyof typeof PARTS_OF_DAY;

export const PART_NAMES = Object.keys(PARTS_OF_DAY).filter((name): name is PartOfDay => name in PARTS_OF_DAY);

/** Which of the weekdays of that name: "this friday", "next friday", or by calendar week ("friday next week"). */
export type WeekChoice = 'this' | 'coming' | 'next' | 'after-next' | Week;

/**
 * A week from Monday to Sunday: a number of weeks ahead, or by its number (ISO 8601). `mayBeginOnSunday`: for people whose
 * weeks begin on Sunday, that day is a week earlier.
 */
export type Week = { ahead: number; mayBeginOnSunday?: boolean } | { number: number; year?: number };

/**
 * The nth weekday (Sunday is 0) before or after a day. A working day is one from Monday to Friday, but not New Year's Day.
 */
export interface BesideDay {
  weekday: number | 'working';
  count: number;
  way: 'before' | 'after';
}

/** What the words of one piece say. Absent means not said. */
export interface Meaning {
  year?: number;
  month?: number;
  day?: number;
  /** Sunday is 0. */
  weekday?: number;
  /** Of a 24-hour clock unless `halfOfDay` is set. */
  hour?: number;
  minute?: number;
  week?: WeekChoice;
  isToday?: boolean;
  /** The day was named and not dated: "tomorrow". */
  isNamedDay?: boolean;
  /**
   * Day and month could be the other way round. The order in which they were read if the reader's own order, or a weekday
   * beside them, decides.
   */
  isEitherOrder?: boolean | DateOrder;
  /** Other dates that the same words can mean. */
  otherDates?: readonly DateTime[];
  /** The days of the same name that are over, on which only a range can begin: of the date, and of each of the others. */
  pastDates?: readonly DateTime[];
  /** The last day of the week, month … that was named too. */
  lastDay?: DateTime;
  /** A whole week, month … was named, and its day wasn't. */
  isPeriod?: boolean;
  /** The period contains the weekday or the day of the month beside it: "thursday 4pm next week". */
  contains?: WeekChoice | 'month';
  /** Counted from the day that follows. */
  beside?: BesideDay;
  /**
   * For an hour from 1 to 12. 'open': morning or afternoon. 'office-hours': the one in office hours, if only one is.
   * 'as-shown': on a 24-hour clock, unless a part of the day is named. 'or-evening': as shown, unless that has passed.
   * 'by-name': what words such as "eod" stand for.
   */
  halfOfDay?: 'open' | 'office-hours' | 'as-shown' | 'or-evening' | 'by-name';
  /** The number can also be an hour of the weekday: "tue 14". */
  orHour?: number;
  /** The number is an hour only beside a day. */
  needsDay?: boolean;
  /** The time of the day that it is now. */
  isSameTime?: boolean;
  /** So many minutes past the next full hour. */
  minutePastHour?: number;
  /** Twelve o'clock can be the turn of the year. */
  isNewYearsEve?: boolean;
  /** 00:00 that may begin or end its day. */
  isMidnight?: boolean;
  part?: PartOfDay;
  /** The part of the day was named by what is done in it: "dinner". */
  isOccasion?: boolean;
  /** The beginning or the end of the day, or of its part. */
  edge?: 'early' | 'late';
  fromNow?: Duration;
  /** A duration from now that is meant as well. */
  orFromNow?: Duration;
  /** A duration after what is beside it. */
  plus?: Duration;
  /** `plus` counts from the words before it, not after it. */
  followsDay?: boolean;
  /** "Sun" and "sat" are words of other sentences too. */
  isOrdinaryWord?: boolean;
  /** Words between the pieces of this one that say nothing about the time. */
  unread?: readonly string[];
}

/** Words of a text, and what they mean. */
export interface Piece {
  index: number;
  text: string;
  meaning: Meaning;
}

/** Whether the words around a moment, of which some weren't understood, may stay unread. */
export type CanLeave = (moment: Piece, around: readonly string[]) => boolean;

/** Whether a day or a weekday is said, not counted from another. */
export function saysDay({ day, weekday }: Meaning): boolean {
  return (day ?? weekday) !== undefined;
}

/** The meaning of one calendar day. */
export function dateOf({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}

/** Two figures are a year of this century. */
export function fullYear(figures: string): number {
  return Number(figures.length === 2 ? `20${figures}` : figures);
}

/** The meaning of a day and a month. Undefined for numbers that no calendar has. */
export function dateIn(day = 0, month = 0, year?: number | string): Meaning | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return year === undefined ? { day, month } : { day, month, year: fullYear(String(year)) };
}

/** A date in figures whose day comes first or second. `isUsual`: whether readers have one order for it. */
export function dateInEitherOrder(
  [a, b, year]: readonly [a: number, b: number, year?: string | undefined],
  { dayFirst = true, isUsual = true } = {},
): Meaning | undefined {
  const [day, month] = dayFirst ? [a, b] : [b, a];
  const [likelier, other] = [dateIn(day, month, year), dateIn(month, day, year)];
  if (likelier === undefined || other === undefined || day === month) return likelier ?? other;
  return { ...likelier, isEitherOrder: !isUsual || (dayFirst ? 'day-first' : 'month-first') };
}

/** A day, and the other days that the same words can mean. */
export function eitherDateOf(date: DateTime, others: readonly DateTime[]): Meaning {
  const otherDates = others.filter((other) => !other.hasSame(date, 'day'));
  return otherDates.length === 0 ? dateOf(date) : { ...dateOf(date), otherDates };
}

/** The days that a whole period ("next month") can mean. */
export function periodOf(date: DateTime, others: readonly DateTime[]): Meaning {
  return { ...eitherDateOf(date, others), isPeriod: true };
}

/** Whether the duration counts hours or shorter units, which are elapsed time. Days and longer move the date. */
export function hasHours({ hours, minutes, seconds }: Duration): boolean {
  return hours !== 0 || minutes !== 0 || seconds !== 0;
}

/** Half a day is 12 hours and half a week three days and a half; half a month has no length. */
export function wholeParts(unit: keyof DurationLikeObject, count: number): DurationLikeObject {
  const whole = Math.floor(count);
  const rest = count - whole;
  if (rest === 0) return { [unit]: whole };
  if (unit === 'days') return { days: whole, hours: Math.round(rest * 24) };
  if (unit === 'weeks') return { weeks: whole, ...wholeParts('days', rest * 7) };
  if (unit === 'years') return { years: whole, months: Math.round(rest * 12) };
  return unit === 'months' ? { months: whole, days: Math.round(rest * 30) } : { [unit]: count };
}
