import { DateTime, Duration, type DurationLikeObject } from 'luxon';
import { isWeekend, nthWeekday, workingDay } from './feasts.ts';
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
  firstDay: DateTime;
  /** The time to the next one that the words can mean. Without it, they name one, even if it's over. */
  repeatsEvery?: DurationLikeObject;
}

/** Part of a period, or one of its days, counted from its end if `nth` is negative. Sunday is 0. */
export type Place =
  | 'start'
  | 'early'
  | 'middle'
  | 'late'
  | 'end'
  | { nth: number; of: 'day' | 'working-day' | 'monday-to-friday' | 'week' | 'weekend' }
  | { nth: number; weekday: number };

/** A period of weeks, months or years: this one or a later one, and the next one if this can't be meant any more. */
export function periodAhead(unit: Exclude<Unit, 'half'>, today: DateTime, ahead?: number): NamedPeriod {
  const firstDay = today.startOf(unit);
  if (ahead === undefined) return { unit, firstDay, repeatsEvery: LENGTHS[unit] };
  return { unit, firstDay: firstDay.plus({ [`${unit}s`]: ahead }) };
}

/** A month by its number, in that year or, without one, in any. Undefined for numbers that no month has. */
export function namedMonth(
  month: number | undefined,
  today: DateTime,
  year?: number,
): NamedPeriod | undefined {
  if (month === undefined || month < 1 || month > 12) return undefined;
  const firstDay = DateTime.utc(year ?? today.year, month);
  return { unit: 'month', firstDay, ...(year === undefined && { repeatsEvery: { years: 1 } }) };
}

/** A quarter or half of a year by its number. */
export interface YearPart {
  unit: 'quarter' | 'half';
  nth: number;
}

/** A part of that year or, without one, of any. */
export function namedPart({ unit, nth }: YearPart, today: DateTime, year?: number): NamedPeriod {
  const firstDay = DateTime.utc(year ?? today.year).plus(times(LENGTHS[unit], nth - 1));
  return { unit, firstDay, ...(year === undefined && { repeatsEvery: { years: 1 } }) };
}

/** A period without a place: its first or its last day, or today while it lasts. */
export function wholePeriod({ unit, firstDay, repeatsEvery }: NamedPeriod, today: DateTime): Meaning {
  const isOver = lastDay(unit, firstDay) < today;
  const first = isOver && repeatsEvery ? firstDay.plus(repeatsEvery) : firstDay;
  const last = lastDay(unit, first);
  return { ...periodOf(first < today && !(last < today) ? today : first, [last]), lastDay: last };
}

/** Some months have no fifth monday: their next ones can be meant, and so on. */
const PERIODS_AHEAD = [0, 1, 2, 3];

/** The day or days at a place in a period. If it's over in this one, it's in the next. */
export function dayAt(
  place: Place,
  { unit, firstDay, repeatsEvery }: NamedPeriod,
  today: DateTime,
): Meaning | undefined {
  const firstDays =
    repeatsEvery === undefined
      ? [firstDay]
      : PERIODS_AHEAD.map((ahead) => firstDay.plus(times(repeatsEvery, ahead)));
  const open = firstDays.find((each) => {
    const last = lastAt(place, unit, each);
    return last !== undefined && last >= today;
  });
  const days = daysAt(place, unit, open ?? firstDay);
  const ahead = days.filter((day) => day >= today);
  // In the last month of a quarter, its late days are those of the month.
  if (place === 'late' && ahead.length === 0 && open !== undefined && unit !== 'week' && unit !== 'month')
    return dayAt(place, { unit: 'month', firstDay: lastDay(unit, open).startOf('month') }, today);
  const isPast = open !== undefined && +open > +firstDay;
  const named = {
    lastDay: lastDay(unit, open ?? firstDay),
    ...(isPast && { pastDates: daysAt(place, unit, firstDay) }),
  };
  if (isLong(place, unit)) {
    // Where only one of its days is left, the last one is the other end. Nothing of "early" is meant after its days.
    const last = open && place !== 'early' && ahead.length < 2 ? lastAt(place, unit, open) : undefined;
    const [first, ...others] = last === undefined ? (ahead.length > 0 ? ahead : days) : [...ahead, last];
    return first && { ...periodOf(first, others), ...named };
  }
  const [first, ...others] = ahead.length > 0 ? ahead : days;
  return first && { ...eitherDateOf(first, others), ...named };
}

function times(length: DurationLikeObject, count: number): DurationLikeObject {
  return Duration.fromObject(length).mapUnits((size) => size * count);
}

/** Whether the place is longer than a few days. */
function isLong(place: Place, unit: Unit): boolean {
  if (typeof place === 'object') return 'of' in place && (place.of === 'week' || place.of === 'weekend');
  return (place === 'early' || place === 'late') && unit !== 'week';
}

/** The last day that the words can mean in a period. */
function lastAt(place: Place, unit: Unit, firstDay: DateTime): DateTime | undefined {
  if (place === 'early' && unit === 'month') return firstDay.plus({ days: 14 });
  if (place === 'late') return unit === 'week' ? firstDay.plus({ days: 4 }) : lastDay(unit, firstDay);
  if (typeof place !== 'object' || !('of' in place) || place.of !== 'week') {
    const days = daysAt(place, unit, firstDay);
    return days.length === 0 ? undefined : DateTime.max(...days);
  }
  return place.nth < 0
    ? lastDay(unit, firstDay).minus({ days: (-place.nth - 1) * 7 })
    : firstDay.plus({ days: place.nth * 7 - 1 });
}

export function lastDay(unit: Unit, firstDay: DateTime): DateTime {
  return firstDay.plus(LENGTHS[unit]).minus({ days: 1 });
}

const MONDAY = 1;
const SATURDAY = 6;

/** The days at a place, the likeliest first. */
function daysAt(place: Place, unit: Unit, firstDay: DateTime): readonly DateTime[] {
  const last = lastDay(unit, firstDay);
  const isMonth = unit === 'month';
  // A week ends with its Friday or its Sunday.
  const ends = unit === 'week' ? [last.minus({ days: 2 }), last] : [last];
  if (typeof place === 'object') return nthDays(place, firstDay, ends);
  if (place === 'start') return [firstDay];
  if (place === 'end') return ends;
  if (unit === 'week') {
    const days = { early: [0, 1], middle: [2], late: [3, 4] }[place];
    return days.map((ahead) => firstDay.plus({ days: ahead }));
  }
  if (place === 'early') return [firstDay, firstDay.plus(isMonth ? { days: 4 } : { months: 1 })];
  if (place === 'late')
    return isMonth
      ? [firstDay.plus({ days: 24 }), last]
      : [last.startOf('month'), last.minus({ months: 1 }).startOf('month')];
  // The 15th of the second month is the middle of a quarter.
  return [
    firstDay.plus(
      { month: { days: 14 }, quarter: { months: 1, days: 14 }, half: { months: 3 }, year: { months: 6 } }[
        unit
      ],
    ),
  ];
}

function nthDays(
  place: Exclude<Place, string>,
  first: DateTime,
  ends: readonly DateTime[],
): readonly DateTime[] {
  const { nth } = place;
  const last = DateTime.max(...ends) ?? first;
  /** The nth of days that are a number of days apart, of which the first and the last are known. */
  const nthOf = (start: DateTime, final: DateTime, apart: number): DateTime =>
    nth < 0 ? final.minus({ days: (-nth - 1) * apart }) : start.plus({ days: (nth - 1) * apart });
  const nthOn = (weekday: number): DateTime => nthWeekday(weekday, nth, [first, last]);
  const isIn = (day: DateTime): boolean => day >= first && day <= last;
  if ('weekday' in place) return [nthOn(place.weekday)].filter(isIn);
  switch (place.of) {
    case 'day':
      return (nth < 0 ? ends : [last]).map((end) => nthOf(first, end, 1)).filter(isIn);
    case 'working-day':
    case 'monday-to-friday': {
      const isFree = place.of === 'working-day' ? undefined : isWeekend;
      const [before, after] = [first.minus({ days: 1 }), last.plus({ days: 1 })];
      const day = nth < 0 ? workingDay(after, -1, -nth, isFree) : workingDay(before, 1, nth, isFree);
      return [day].filter(isIn);
    }
    case 'weekend': {
      const saturday = nthOn(SATURDAY);
      return isIn(saturday) ? [saturday, saturday.plus({ days: 1 })] : [];
    }
    case 'week':
      return [nthOn(MONDAY), nthOf(first, last.minus({ days: 6 }), 7)].filter(isIn);
  }
}
