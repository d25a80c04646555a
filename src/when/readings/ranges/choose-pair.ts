import { DateTime } from 'luxon';
import { choose } from './choose.ts';
import type { PointExpression } from './day-expressions.ts';
import {
  type ClosedStretch,
  endOn,
  MINUTE_MS,
  type Named,
  once,
  type RangeContext,
  timeOn,
  wholeDays,
} from './stretch.ts';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** Longer from one day of the year to another is its end before its beginning. */
const LONGEST_MS = 334 * DAY_MS;

interface OneReading {
  /** The day on which both times are. */
  day: Named | undefined;
  first: PointExpression | undefined;
  last: PointExpression | undefined;
}

/** The stretch from one end to the other, undefined where the words make none. */
export function choosePair(
  { day, first, last }: OneReading,
  context: RangeContext,
): ClosedStretch | undefined {
  if (first === undefined || last === undefined) return undefined;
  const isTimesOnly = first.minutes !== undefined && last.minutes !== undefined;
  if (day !== undefined && !(isTimesOnly && first.day === undefined && last.day === undefined))
    return undefined;
  if (first.day !== undefined && last.day !== undefined) return betweenDays(first, last, context);
  if (first.minutes === undefined || last.minutes === undefined) return undefined;
  const [today = undefined] = once(wholeDays(context.now));
  const on = day ?? first.day ?? last.day ?? today;
  const chosen = on === undefined ? undefined : choose(on, 'alone', context);
  if (chosen === undefined || !isOneDay(chosen)) return undefined;
  const midnight = chosen.from.wall - (chosen.from.wall % DAY_MS);
  const begins = first.minutes.filter((minute) => holds(chosen, timeOn(midnight, minute).wall));
  if (begins.length === 0) return undefined;
  const [from, to] = minutesBetween(begins, last.minutes);
  return { from: timeOn(midnight, from), to: endOn(midnight, to) };
}

/** "In the evening from 7 to 9" begins in the evening. */
function holds({ from, to }: ClosedStretch, wall: number): boolean {
  return from.wall <= wall && wall <= to.wall;
}

function betweenDays(
  first: PointExpression,
  last: PointExpression,
  context: RangeContext,
): ClosedStretch | undefined {
  if (first.day === undefined || last.day === undefined) return undefined;
  const pairs = inMonthOfOther(first.day, last.day) ?? pairsOf(first.day, last.day);
  const isOften = first.day.comes === 'often' || last.day.comes === 'often';
  const comes = pairs.length === 1 ? 'once' : isOften ? 'often' : 'yearly';
  const chosen = choose({ stretches: pairs, comes }, 'alone', context);
  if (chosen === undefined) return undefined;
  const { from, to } = chosen;
  const lastMidnight = to.wall - (to.wall % DAY_MS);
  const closed = {
    from: first.minutes === undefined ? from : timeOn(from.wall, first.minutes[0] ?? 0),
    to: last.minutes === undefined ? to : endOn(lastMidnight, last.minutes[0] ?? 0),
  };
  const length = closed.to.wall - closed.from.wall;
  const isTurned = length > LONGEST_MS && [first.day, last.day].every(isDayOfYear);
  return length < 0 || isTurned ? undefined : closed;
}

/** "The ninth to the seventeenth of april": a day without a month is in that of the other, or the one beside it. */
function inMonthOfOther(first: Named, last: Named): readonly ClosedStretch[] | undefined {
  if (first.dayOfMonth === undefined || last.comes === 'often') return undefined;
  const { dayOfMonth } = first;
  return last.stretches.map(({ from, to }) => {
    const month = DateTime.fromMillis(from.wall, { zone: 'utc' }).startOf('month');
    const earlier = [month, month.minus({ months: 1 })]
      .map((each) => each.set({ day: dayOfMonth }))
      .find((day) => day.day === dayOfMonth && day.toMillis() <= from.wall);
    return { from: wholeDays(earlier ?? month).from, to };
  });
}

/** Each end with the first of the other's that is not before it; of those with the same end, the shortest. */
function pairsOf(first: Named, last: Named): readonly ClosedStretch[] {
  const shortest = new Map<number, ClosedStretch>();
  for (const { from } of first.stretches) {
    const end = last.stretches.find(({ to }) => to.wall >= from.wall)?.to;
    if (end !== undefined) shortest.set(end.wall, { from, to: end });
  }
  return [...shortest.values()];
}

/** "Between 9 and 5" is from morning to afternoon; "10pm to 2am" ends on the next day. */
function minutesBetween(first: readonly number[], last: readonly number[]): readonly [number, number] {
  for (const from of first) {
    const to = last.toSorted((a, b) => a - b).find((minute) => minute > from);
    if (to !== undefined) return [from, to];
  }
  const [from = 0] = first;
  const [to = 0] = last;
  return [from, to > from ? to : to + DAY_MINUTES];
}

function isDayOfYear({ stretches, comes }: Named): boolean {
  const [first] = stretches;
  return first !== undefined && isOneDay(first) && comes !== 'often';
}

function isOneDay({ from, to }: ClosedStretch): boolean {
  return to.wall - from.wall < DAY_MS;
}
