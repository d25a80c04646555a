import type { ParsedResult } from 'chrono-node';
import type { DateTime, Duration } from 'luxon';
import {
  type BesideDay,
  hasHours,
  type Meaning,
  meaningOf,
  PART_NAMES,
  type PartOfDay,
  type WeekChoice,
} from './grammar/piece.ts';

interface DateExpression {
  kind: 'date';
  day: number;
  month: number;
  year?: number;
  weekday?: number;
  isEitherOrder: boolean | 'by-weekday';
  /** Other dates that the same words can mean. */
  otherDates?: readonly DateTime[];
  /** A whole week, month … was named, and its day wasn't. */
  isPeriod: boolean;
}

/** A day as words name it, before it is known which of the calendar's days it is. */
export type DayExpression =
  | DateExpression
  | { kind: 'day-of-month'; day: number; weekday?: number; orHour?: number }
  | { kind: 'weekday'; weekday: number; week?: WeekChoice };

/** A time as words name it. */
export interface TimeExpression {
  hour: number;
  minute: number;
  /** Whether morning or afternoon is open: not at all, only where a part of the day says so, or to be asked. */
  halfOfDay: 'settled' | 'as-shown' | 'office-hours' | 'open';
  isMidnight: boolean;
}

/** What the words for one moment say, whatever their language, before it is resolved. */
export interface Expression {
  day?: DayExpression;
  isToday: boolean;
  time?: TimeExpression;
  part?: PartOfDay;
  /** The time of the day that it is now. */
  isSameTime: boolean;
  /** Counted from the day that the rest says. */
  beside?: BesideDay;
  /** Counted from now. */
  fromNow?: Duration;
  /** Counted from now, and meant as well as the rest. */
  orFromNow?: Duration;
  /** So many minutes past the next full hour. */
  minutePastHour?: number;
  /** Counted from the moment that the rest says. */
  plus?: Duration;
}

/** The expression of one result of a grammar: only what the words say, never what chrono implies. */
export function expressionOf({ start }: ParsedResult): Expression {
  const meaning = meaningOf(start);
  const { isToday = false, isSameTime = false, beside, fromNow, orFromNow, minutePastHour, plus } = meaning;
  const day = dayIn(meaning);
  const time = timeIn(meaning);
  const part = partIn(meaning);
  return {
    isToday,
    isSameTime,
    ...(beside && { beside }),
    ...(day && { day }),
    ...(time && { time }),
    ...(part && { part }),
    ...(fromNow && { fromNow }),
    ...(orFromNow && { orFromNow }),
    ...(minutePastHour !== undefined && { minutePastHour }),
    ...(plus && { plus }),
  };
}

function dayIn({
  day,
  month,
  year,
  weekday,
  week,
  isEitherOrder = false,
  isPeriod = false,
  otherDates,
  orHour,
}: Meaning): DayExpression | undefined {
  const itsWeekday = weekday === undefined ? {} : { weekday };
  if (day !== undefined && month !== undefined) {
    const known = { ...itsWeekday, ...(year !== undefined && { year }), ...(otherDates && { otherDates }) };
    return { kind: 'date', day, month, isEitherOrder, isPeriod, ...known };
  }
  if (day !== undefined)
    return { kind: 'day-of-month', day, ...itsWeekday, ...(orHour !== undefined && { orHour }) };
  return weekday === undefined ? undefined : { kind: 'weekday', weekday, ...(week && { week }) };
}

function timeIn({ hour, minute = 0, halfOfDay, isMidnight = false }: Meaning): TimeExpression | undefined {
  return hour === undefined ? undefined : { hour, minute, halfOfDay: halfOfDay ?? 'settled', isMidnight };
}

/** "Early tomorrow" is in the morning, "late tomorrow" at the end of the afternoon. */
function partIn({ part, edge }: Meaning): PartOfDay | undefined {
  if (edge === undefined) return part;
  const atEdge = PART_NAMES.find((name) => name === `${edge}-${part}`);
  return atEdge ?? part ?? (edge === 'early' ? 'early-morning' : 'late');
}

export function saysDay({ day, fromNow, isToday, beside, minutePastHour }: Expression): boolean {
  return isToday || [day, fromNow, beside, minutePastHour].some((each) => each !== undefined);
}

export function saysTime({ time, part, isSameTime, fromNow, minutePastHour }: Expression): boolean {
  const isElapsed = fromNow !== undefined && hasHours(fromNow);
  return isSameTime || isElapsed || [time, part, minutePastHour].some((each) => each !== undefined);
}

/** Whether only a time of the day, or a part of it, is said: no day, and nothing counted. */
export function saysTimeOnly({ time, part, isSameTime, orFromNow, plus, ...rest }: Expression): boolean {
  const isCounted = (orFromNow ?? plus) !== undefined;
  return (time ?? part) !== undefined && !saysDay({ ...rest, isSameTime }) && !isSameTime && !isCounted;
}
