import type { DateTime, Duration } from 'luxon';
import type { DateOrder, KnownDateOrder } from './date-order.ts';
import {
  type BesideDay,
  hasHours,
  type Meaning,
  PART_NAMES,
  type PartOfDay,
  type Piece,
  type WeekChoice,
} from './grammar/piece.ts';

export interface DateExpression {
  kind: 'date';
  day: number;
  month: number;
  year?: number | undefined;
  weekday?: number | undefined;
  /** See `Meaning`. */
  isEitherOrder: boolean | DateOrder;
  /** Other dates that the same words can mean. */
  otherDates?: readonly DateTime[] | undefined;
  /** The days of the same name that are over. */
  pastDates?: readonly DateTime[] | undefined;
  /** The last day of the week, month … that was named too. */
  lastDay?: DateTime | undefined;
  /** A whole week, month … was named, and its day wasn't. */
  isPeriod: boolean;
}

/** A day as words name it, before it is known which of the calendar's days it is. */
export type DayExpression =
  | DateExpression
  | { kind: 'day-of-month'; day: number; weekday?: number | undefined; orHour?: OtherHour | undefined }
  | { kind: 'weekday'; weekday: number; week?: WeekChoice | undefined };

/** The hour that a day of the month can be instead, on its weekday in this week: "next week tue 14". */
interface OtherHour {
  hour: number;
  week?: WeekChoice | undefined;
}

/** A time as words name it. */
export interface TimeExpression {
  hour: number;
  minute: number;
  /** Whether morning or afternoon is open: not at all, only where a part of the day says so, or to be asked. */
  halfOfDay: 'settled' | 'by-name' | 'as-shown' | 'or-evening' | 'office-hours' | 'open';
  isMidnight: boolean | 'or-noon';
}

/** What the words for one time say, whatever their language, before it is resolved. */
export interface Expression {
  day?: DayExpression | undefined;
  isToday: boolean;
  time?: TimeExpression | undefined;
  part?: PartOfDay | undefined;
  /** The current time of the day. */
  isSameTime: boolean;
  /** Counted from the day of the other words. */
  beside?: BesideDay | undefined;
  /** Counted from now. */
  fromNow?: Duration | undefined;
  /** Counted from now. An alternative to the other words. */
  orFromNow?: Duration | undefined;
  /** Minutes past the next full hour. */
  minutePastHour?: number | undefined;
  /** Counted from the time of the other words. */
  plus?: Duration | undefined;
}

/** The expression of a piece: only what its words say. */
export function expressionOf({ meaning }: Piece): Expression {
  const { isToday = false, isSameTime = false, beside, fromNow, orFromNow, minutePastHour, plus } = meaning;
  const counted = { beside, fromNow, orFromNow, minutePastHour, plus };
  const { hour, minute = 0, halfOfDay = 'settled', isNewYearsEve, part } = meaning;
  const isOpen = !part && (halfOfDay === 'open' || halfOfDay === 'office-hours');
  const isTurn = isNewYearsEve && minute === 0 && (hour === 0 || (hour === 12 && isOpen && 'or-noon'));
  const isMidnight = meaning.isMidnight || isTurn || false;
  return {
    isToday,
    isSameTime,
    ...counted,
    day: dayIn(meaning),
    time: hour === undefined ? undefined : { hour, minute, halfOfDay, isMidnight },
    part: partIn(meaning),
  };
}

function dayIn({ day, month, year, weekday, week, orHour, ...meaning }: Meaning) {
  const { otherDates, pastDates, lastDay, isEitherOrder = false, isPeriod = false } = meaning;
  const date = { otherDates, pastDates, lastDay, isEitherOrder, isPeriod };
  if (day !== undefined && month !== undefined)
    return { kind: 'date', day, month, year, weekday, ...date } as const;
  const other = orHour === undefined ? undefined : { hour: orHour, week };
  if (day !== undefined) return { kind: 'day-of-month', day, weekday, orHour: other } as const;
  return weekday === undefined ? undefined : ({ kind: 'weekday', weekday, week } as const);
}

/** "Early tomorrow" is in the morning, "late tomorrow" at the end of the afternoon. */
function partIn({ part, edge }: Meaning): PartOfDay | undefined {
  if (edge === undefined) return part;
  const whole = part === 'tonight' ? 'night' : part;
  const atEdge = PART_NAMES.find((name) => name === `${edge}-${whole}`);
  return atEdge ?? part ?? (edge === 'early' ? 'early-morning' : 'late');
}

export function saysDay({ day, fromNow, isToday, beside, minutePastHour }: Expression): boolean {
  return isToday || [day, fromNow, beside, minutePastHour].some((each) => each !== undefined);
}

/** "In 9 hours": a day and a time of its own, which goes with no other. */
export function isElapsed({ fromNow }: Expression): boolean {
  return fromNow !== undefined && hasHours(fromNow);
}

export function saysTime(expression: Expression): boolean {
  const { time, part, isSameTime, minutePastHour } = expression;
  return (
    isSameTime || isElapsed(expression) || [time, part, minutePastHour].some((each) => each !== undefined)
  );
}

/** Whether only a time of the day, or a part of it, is said: no day, and nothing counted. */
export function saysTimeOnly({ time, part, isSameTime, orFromNow, plus, ...rest }: Expression): boolean {
  const isCounted = (orFromNow ?? plus) !== undefined;
  return (time ?? part) !== undefined && !saysDay({ ...rest, isSameTime }) && !isSameTime && !isCounted;
}

/** Turns dates in figures to the reader's order. */
export function orderDate(expression: Expression, order: KnownDateOrder): Expression {
  const { day } = expression;
  if (day?.kind !== 'date' || typeof day.isEitherOrder === 'boolean') return expression;
  if (order === 'unsure') return { ...expression, day: { ...day, isEitherOrder: true } };
  const isTurned = day.isEitherOrder !== order;
  const turned = { ...day, day: day.month, month: day.day, isEitherOrder: order };
  return isTurned ? { ...expression, day: turned } : expression;
}

/** Both orders of a date in figures if both can be meant. A weekday beside it decides. */
export function dateOrdersOf(date: DateExpression): readonly DateExpression[] {
  const { isEitherOrder, weekday, day, month } = date;
  const isTurned = typeof isEitherOrder === 'string' ? weekday !== undefined : isEitherOrder;
  return isTurned ? [date, { ...date, day: month, month: day }] : [date];
}
