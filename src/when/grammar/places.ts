import { DateTime, Duration, type DurationLikeObject } from 'luxon';
import { workingDay } from './feasts.ts';
import { eitherDateOf, type Meaning, periodOf } from './piece.ts';

const LENGTHS = {
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  half: { months: 6 },
  year: { years: 1 },
} as const satisfies Readonly<Record<string, DurationLikeObject>>;

type Unit = keyof typeof LENGTHS;

/** A week, month, quarter, half or year that words name. */
export interface NamedPeriod {
  unit: Unit;
  /** Its first day. */
  begin: DateTime;
  /** The time to the next one that the words can mean. Without it, they name one, even if it's over. */
  every?: DurationLikeObject;
}

/** Part of a period, or one of its days, counted from its end if `nth` is negative. A weekday from Sunday, which is 0. */
export type Place =
  | 'start'
  | 'early'
  | 'middle'
  | 'late'
  | 'end'
  | { nth: number; of: 'day' | 'working-day' | 'week' | 'weekend' | number };

/** A period of weeks, months or years: this one or a later one, and the next one if this can't be meant any more. */
export function periodAhead(unit: Exclude<Unit, 'half'>, today: DateTime, ahead?: number): NamedPeriod {
  const begin = today.startOf(unit);
  if (ahead === undefined) return { unit, begin, every: LENGTHS[unit] };
  return { unit, begin: begin.plus({ [`${unit}s`]: ahead }) };
}

/** A month by its number, in that year or, without one, in any. Undefined for numbers that no month has. */
export function namedMonth(
  month: number | undefined,
  today: DateTime,
  year?: number,
): NamedPeriod | undefined {
  if (month === undefined || month < 1 || month > 12) return undefined;
  const begin = DateTime.utc(year ?? today.year, month);
  return { unit: 'month', begin, ...(year === undefined && { every: { years: 1 } }) };
}

/** Some months have no fifth monday: their next ones can be meant, and so on. */
const PERIODS_AHEAD = [0, 1, 2, 3];

/** The day or days at a place in a period. If it's over in this one, it's in the next. */
export function dayAt(
  place: Place,
  { unit, begin, every }: NamedPeriod,
  today: DateTime,
): Meaning | undefined {
  const begins =
    every === undefined ? [begin] : PERIODS_AHEAD.map((ahead) => begin.plus(times(every, ahead)));
  const open = begins.find((each) => {
    const last = lastAt(place, unit, each);
    return last !== undefined && last >= today;
  });
  const days = daysAt(place, unit, open ?? begin);
  const ahead = days.filter((day) => day >= today);
  // In the last month of a quarter, its late days are those of the month.
  if (place === 'late' && ahead.length === 0 && open !== undefined && unit !== 'week' && unit !== 'month')
    return dayAt(place, { unit: 'month', begin: lastDay(unit, open).startOf('month') }, today);
  const [first, ...others] = ahead.length > 0 ? ahead : days;
  if (first === undefined || isLong(place, unit)) return first && periodOf(first, others);
  const [over] = open === undefined || +open === +begin ? [] : daysAt(place, unit, begin);
  return { ...eitherDateOf(first, others), ...(over !== undefined && { over }) };
}

function times(length: DurationLikeObject, count: number): DurationLikeObject {
  return Duration.fromObject(length).mapUnits((size) => size * count);
}

/** Whether the place is longer than a few days. */
function isLong(place: Place, unit: Unit): boolean {
  if (typeof place === 'object') return place.of === 'week' || place.of === 'weekend';
  return (place === 'early' || place === 'late') && unit !== 'week';
}

/** The last day that the words can mean in a period. */
function lastAt(place: Place, unit: Unit, begin: DateTime): DateTime | undefined {
  if (place === 'early' && unit === 'month') return begin.plus({ days: 14 });
  if (place === 'late') return unit === 'week' ? begin.plus({ days: 4 }) : lastDay(unit, begin);
  if (typeof place !== 'object' || place.of !== 'week') {
    const days = daysAt(place, unit, begin);
    return days.length === 0 ? undefined : DateTime.max(...days);
  }
  return place.nth < 0 ? lastDay(unit, begin) : begin.plus({ days: place.nth * 7 - 1 });
}

function lastDay(unit: Unit, begin: DateTime): DateTime {
  return begin.plus(LENGTHS[unit]).minus({ days: 1 });
}

const MONDAY = 1;
const SATURDAY = 6;

/** The days at a place, the likeliest first. */
function daysAt(place: Place, unit: Unit, begin: DateTime): readonly DateTime[] {
  const last = lastDay(unit, begin);
  const isMonth = unit === 'month';
  if (typeof place === 'object') return nthDays(place, begin, last);
  if (place === 'start') return [begin];
  if (place === 'end') return unit === 'week' ? [last.minus({ days: 2 }), last] : [last];
  if (unit === 'week') {
    const days = { early: [0, 1], middle: [2], late: [3, 4] }[place];
    return days.map((ahead) => begin.plus({ days: ahead }));
  }
  if (place === 'early') return [begin, begin.plus(isMonth ? { days: 4 } : { months: 1 })];
  if (place === 'late')
    return isMonth
      ? [begin.plus({ days: 24 }), last]
      : [last.startOf('month'), last.minus({ months: 1 }).startOf('month')];
  // The 15th of the second month is the middle of a quarter.
  return [
    begin.plus(
      { month: { days: 14 }, quarter: { months: 1, days: 14 }, half: { months: 3 }, year: { months: 6 } }[
        unit
      ],
    ),
  ];
}

function nthDays({ nth, of }: Exclude<Place, string>, begin: DateTime, last: DateTime): readonly DateTime[] {
  /** The nth of days that are a number of days apart, of which the first and the last are known. */
  const nthOf = (first: DateTime, final: DateTime, apart: number): DateTime =>
    nth < 0 ? final.minus({ days: (-nth - 1) * apart }) : first.plus({ days: (nth - 1) * apart });
  const nthOn = (weekday: number): DateTime =>
    nthOf(
      begin.plus({ days: (weekday - begin.weekday + 7) % 7 }),
      last.minus({ days: (last.weekday - weekday + 7) % 7 }),
      7,
    );
  const isIn = (day: DateTime): boolean => day >= begin && day <= last;
  if (of === 'day') return [nthOf(begin, last, 1)].filter(isIn);
  if (of === 'working-day')
    return [
      nth < 0 ? workingDay(last.plus({ days: 1 }), -1, -nth) : workingDay(begin.minus({ days: 1 }), 1, nth),
    ].filter(isIn);
  if (of === 'weekend') {
    const saturday = nthOn(SATURDAY);
    return isIn(saturday) ? [saturday, saturday.plus({ days: 1 })] : [];
  }
  if (typeof of === 'number') return [nthOn(of)].filter(isIn);
  const first = nthOf(begin, last, 7);
  return [nthOn(MONDAY), first].filter(isIn);
}
