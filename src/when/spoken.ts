import type { ParsedResult } from 'chrono-node';
import { Duration } from 'luxon';
import { has, markValue, PARTS_OF_DAY, type PartOfDay } from './grammar/rule.ts';

interface SpokenDate {
  kind: 'date';
  day: number;
  month: number;
  year?: number;
  weekday?: number;
  isEitherOrder: boolean;
  /** Other dates that the same words can mean (ISO 8601). */
  or?: readonly string[];
  /** A whole week, month … was named, and its day was not. */
  isStretch: boolean;
}

/** The weekday before or after a day; the first such, the second …; or the one of its week. A working day is any from Monday to Friday. */
export interface BesideDay {
  weekday: number | 'working';
  count: number;
  way: 'before' | 'after' | 'in-week';
}

/** A day as words name it, before it is known which of the calendar's days it is. */
export type SpokenDay =
  | SpokenDate
  | { kind: 'day-of-month'; day: number; weekday?: number }
  | { kind: 'weekday'; weekday: number; which?: string };

/** A time as words name it. */
export interface SpokenTime {
  hour: number;
  minute: number;
  /** Whether morning or afternoon is open: not at all, only where a part of the day says so, or to be asked. */
  halves: 'settled' | 'as-shown' | 'open';
  isMidnight: boolean;
}

/** What one moment's words say, in no language. */
export interface Spoken {
  day?: SpokenDay;
  isToday: boolean;
  time?: SpokenTime;
  part?: PartOfDay;
  /** The time of the day that it is now. */
  isSameTime: boolean;
  /** Counted from the day that the rest says. */
  beside?: BesideDay;
  /** Counted from now. */
  after?: Duration;
  /** Counted from now, and meant as well as the rest. */
  orAfter?: Duration;
  /** So many minutes past an hour that is not named: the next to come. */
  pastHour?: number;
  /** Counted from the moment that the rest says. */
  plus?: Duration;
}

/** Reads chrono's components, and only those that words gave: never what chrono implied, and never its date. */
export function spokenIn({ start }: ParsedResult): Spoken {
  const day = dayIn(start);
  const time = timeIn(start);
  const part = partIn(start);
  const after = markValue(start, 'after');
  const plus = markValue(start, 'plus');
  const orAfter = markValue(start, 'or-after');
  const pastHour = markValue(start, 'past-hour');
  const beside = besideOf(markValue(start, 'beside'));
  return {
    isToday: has(start, 'today'),
    isSameTime: has(start, 'same-time'),
    ...(beside === undefined ? {} : { beside }),
    ...(day === undefined ? {} : { day }),
    ...(time === undefined ? {} : { time }),
    ...(part === undefined ? {} : { part }),
    ...(after === undefined ? {} : { after: Duration.fromISO(after) }),
    ...(orAfter === undefined ? {} : { orAfter: Duration.fromISO(orAfter) }),
    ...(pastHour === undefined ? {} : { pastHour: Number(pastHour) }),
    ...(plus === undefined ? {} : { plus: Duration.fromISO(plus) }),
  };
}

type Components = ParsedResult['start'];
type Part = Parameters<Components['get']>[0];

function certain(components: Components, part: Part): number | undefined {
  return components.isCertain(part) ? (components.get(part) ?? undefined) : undefined;
}

function dayIn(components: Components): SpokenDay | undefined {
  const day = certain(components, 'day');
  const month = certain(components, 'month');
  const year = certain(components, 'year');
  const weekday = certain(components, 'weekday');
  const fits = weekday === undefined ? {} : { weekday };
  if (day !== undefined && month !== undefined) {
    const isEitherOrder = has(components, 'either-order');
    const or = markValue(components, 'or')?.split(',');
    const known = { ...fits, ...(year === undefined ? {} : { year }), ...(or === undefined ? {} : { or }) };
    return { kind: 'date', day, month, isEitherOrder, isStretch: has(components, 'stretch'), ...known };
  }
  if (day !== undefined) return { kind: 'day-of-month', day, ...fits };
  if (weekday === undefined) return undefined;
  const which = markValue(components, 'which');
  return which === undefined ? { kind: 'weekday', weekday } : { kind: 'weekday', weekday, which };
}

/** "1-2" is the second Monday before. */
function besideOf(mark: string | undefined): BesideDay | undefined {
  const [, weekday, sign, count] = /^(\d|w)([+=-])(\d\d?)$/.exec(mark ?? '') ?? [];
  if (weekday === undefined || count === undefined) return undefined;
  const way = sign === '=' ? 'in-week' : sign === '-' ? 'before' : 'after';
  return { weekday: weekday === 'w' ? 'working' : Number(weekday), count: Number(count), way };
}

function timeIn(components: Components): SpokenTime | undefined {
  const hour = certain(components, 'hour');
  if (hour === undefined) return undefined;
  const minute = certain(components, 'minute') ?? 0;
  const asShown = has(components, 'clock-hour') ? 'as-shown' : 'settled';
  const halves = has(components, 'spoken-hour') ? 'open' : asShown;
  return { hour, minute, halves, isMidnight: has(components, 'midnight') };
}

/** "Early tomorrow" is in the morning, "late tomorrow" at the end of the afternoon. */
function partIn(start: Components): PartOfDay | undefined {
  const part = partOf(markValue(start, 'part'));
  if (has(start, 'early')) return partOf(`early-${part}`) ?? part ?? 'early-morning';
  if (has(start, 'late')) return partOf(`late-${part}`) ?? part ?? 'late-afternoon';
  return part;
}

function partOf(name: string | undefined): PartOfDay | undefined {
  return PART_NAMES.find((part) => part === name);
}

const PART_NAMES = Object.keys(PARTS_OF_DAY).filter((name): name is PartOfDay => name in PARTS_OF_DAY);
