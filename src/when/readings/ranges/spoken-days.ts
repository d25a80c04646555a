import { DateTime } from 'luxon';
import { readWords } from '../../grammar/read-words.ts';
import type { PartOfDay } from '../../grammar/rule.ts';
import { possibleTimes, possibleWalls } from '../../policy/possible-walls.ts';
import type { Spoken, SpokenDay } from '../../spoken.ts';
import { saysTimeOnly } from '../says-time-only.ts';
import { type ClosedStretch, type Named, once, type RangeContext, wholeDays } from './stretch.ts';

const MINUTE_MS = 60_000;

/** Where a named day is looked for before and after now. */
const WEEKS = [-2, -1, 0, 1, 2];
const MONTHS = [-2, -1, 0, 1, 2];
const YEARS = [-1, 0, 1, 2];

/** The hours that people mean by a part of the day when they mean all of it. */
const HOURS: Readonly<Record<PartOfDay, readonly [number, number]>> = {
  'early-morning': [5, 9],
  breakfast: [6, 10],
  morning: [6, 12],
  'mid-morning': [9, 11],
  'late-morning': [10, 12],
  midday: [11, 14],
  'early-afternoon': [12, 15],
  afternoon: [12, 18],
  'mid-afternoon': [14, 16],
  'late-afternoon': [16, 18],
  'early-evening': [17, 19],
  evening: [18, 22],
  dinner: [18, 21],
  'late-evening': [21, 24],
  night: [20, 24],
  'late-night': [22, 24],
};

/** A day, a time, or both, as the grammar of moments reads them. */
export interface SpokenPoint {
  day?: Named;
  /** Minutes of the day, the likeliest first. */
  minutes?: readonly number[];
}

/** All that the words can mean, read as a moment's words; nothing where they are none. */
export function spokenPoints(words: string, context: RangeContext): readonly SpokenPoint[] {
  const read = readWords(words, context.now.startOf('day'), context.locale);
  if (read.kind === 'not-understood') return [];
  return read.spokens.flatMap((spoken) => pointsOf(spoken, context));
}

function pointsOf(spoken: Spoken, context: RangeContext): readonly SpokenPoint[] {
  const isStretch = spoken.day?.kind === 'date' && spoken.day.isStretch;
  if (isStretch || spoken.pastHour !== undefined || spoken.isSameTime) return [];
  const minutes = spoken.time === undefined ? undefined : possibleTimes(spoken.time, spoken);
  if (minutes !== undefined && saysTimeOnly(spoken)) return [{ minutes }];
  const days = daysOf(spoken, context);
  if (minutes !== undefined) return days.map((day) => ({ day, minutes }));
  const { part } = spoken;
  return days.map((day) => ({ day: part === undefined ? day : partOf(day, part) }));
}

function partOf(day: Named, part: PartOfDay): Named {
  const [first, last] = HOURS[part];
  const stretches = day.stretches.map(({ from, to }) => ({
    from: { wall: from.wall + first * 60 * MINUTE_MS },
    to: last === 24 ? to : { wall: from.wall + last * 60 * MINUTE_MS },
  }));
  return { ...day, stretches };
}

function daysOf(spoken: Spoken, context: RangeContext): readonly Named[] {
  const { day, after, plus, beside, orAfter } = spoken;
  const isCounted = [after, plus, beside, orAfter].some((each) => each !== undefined);
  const isChosen = day?.kind === 'weekday' && day.which !== undefined;
  if (isCounted || isChosen || (day?.kind === 'date' && day.or !== undefined))
    return meantDays(spoken, context);
  return day === undefined ? once(wholeDays(context.now)) : namedDays(day, context.now);
}

/** Those that only the policy for moments can tell; nothing where hours are counted, which name no day. */
function meantDays(spoken: Spoken, { now }: RangeContext): readonly Named[] {
  const { time: _, part: __, ...dayOnly } = spoken;
  const { walls } = possibleWalls(dayOnly, { now, today: now.startOf('day') });
  const days = walls
    .map(({ wall, elapsed }) => (elapsed === 0 ? wall : undefined))
    .filter((wall) => wall !== undefined);
  return once(...days.map((wall) => wholeDays(DateTime.fromMillis(wall, { zone: 'utc' }))));
}

function namedDays(day: SpokenDay, now: DateTime): readonly Named[] {
  if (day.kind === 'weekday') {
    const nearest = now.startOf('week').plus({ days: (day.weekday + 6) % 7 });
    return [{ stretches: WEEKS.map((weeks) => wholeDays(nearest.plus({ weeks }))), comes: 'often' }];
  }
  if (day.kind === 'day-of-month') {
    const months = MONTHS.map((ahead) => now.startOf('month').plus({ months: ahead }));
    return named(
      months.map((month) => calendarDay(month.year, month.month, day)),
      'often',
    ).map((each) => ({ ...each, dayOfMonth: day.day }));
  }
  const orders = day.isEitherOrder ? [day, { ...day, day: day.month, month: day.day }] : [day];
  return orders.flatMap((order) => {
    const years = order.year === undefined ? YEARS.map((ahead) => now.year + ahead) : [order.year];
    return named(
      years.map((year) => calendarDay(year, order.month, order)),
      order.year === undefined ? 'yearly' : 'once',
    );
  });
}

function named(days: readonly (ClosedStretch | undefined)[], comes: Named['comes']): readonly Named[] {
  const stretches = days.filter((day) => day !== undefined);
  return stretches.length === 0 ? [] : [{ stretches, comes }];
}

function calendarDay(
  year: number,
  month: number,
  { day, weekday }: { day: number; weekday?: number },
): ClosedStretch | undefined {
  const date = DateTime.utc(year, month, day);
  const fits = date.isValid && (weekday === undefined || date.weekday % 7 === weekday);
  return fits ? wholeDays(date) : undefined;
}
