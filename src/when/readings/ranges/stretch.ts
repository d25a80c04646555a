import type { DateTime } from 'luxon';
import type { WallClock } from '../../zones/wall-clock.ts';

/** An end of a stretch as wall time, and as an instant (ms) if elapsed time was counted, as in "the last 24 hours". */
export interface Edge {
  wall: WallClock;
  instant?: number;
}

/** A stretch of wall time, including both ends. A missing end is open. */
export interface Stretch {
  from?: Edge;
  to?: Edge;
}

export interface ClosedStretch {
  from: Edge;
  to: Edge;
}

/** The stretches that words name, in order. `comes`: once, every week or month ("often"), or every year. */
export interface Named {
  stretches: readonly ClosedStretch[];
  comes: 'once' | 'often' | 'yearly';
  /** Set if the words give only a day of the month. */
  dayOfMonth?: number;
  note?: string;
}

/** When, where and in which language a range is read. `now` is the zone's wall clock, in UTC. */
export interface RangeContext {
  now: DateTime;
  instant: number;
  zone: string;
  locale: string;
  /** ISO: 1 is Monday. */
  firstWeekday: number;
  /** Skips a weekly stretch that has begun. For plans; lists of posts also look back. */
  isAhead: boolean;
}

export const MINUTE_MS = 60_000;
const LAST_MINUTE = 24 * 60 - 1;

/** A minute of the day that begins at `midnight`, as the start of a stretch. */
export function timeOn(midnight: WallClock, minute: number): Edge {
  return { wall: midnight + minute * MINUTE_MS };
}

/** The same as the end of a stretch. 23:59 includes the rest of the day, because the clock has no 24:00. */
export function endOn(midnight: WallClock, minute: number): Edge {
  return { wall: midnight + minute * MINUTE_MS + (minute === LAST_MINUTE ? MINUTE_MS - 1 : 0) };
}

/** From the start of the first day to the end of the last. */
export function wholeDays(first: DateTime, last: DateTime = first): ClosedStretch {
  return { from: { wall: first.startOf('day').toMillis() }, to: { wall: last.endOf('day').toMillis() } };
}

export function once(...stretches: readonly ClosedStretch[]): readonly Named[] {
  return stretches.map((stretch) => ({ stretches: [stretch], comes: 'once' }));
}

/** The first day of the week with this day. */
export function weekStart(day: DateTime, firstWeekday: number): DateTime {
  return day.startOf('day').minus({ days: (day.weekday - firstWeekday + 7) % 7 });
}

/** The word before a stretch, which decides between stretches of the same name. */
export type Side = 'alone' | 'since' | 'from' | 'until' | 'before' | 'after';

/**
 * Chooses between stretches of the same name. Prefers the current one, then the next of weekly and monthly ones, or the
 * nearest of yearly ones, because lists of posts also look back. "Since" isn't in the future, "until" not in the past.
 */
export function chooseStretch(
  { stretches, comes }: Named,
  side: Side,
  { now: clock, isAhead }: RangeContext,
): ClosedStretch | undefined {
  const now = clock.toMillis();
  if (comes === 'once') return stretches[0];
  if (side === 'since') return stretches.findLast(({ from }) => from.wall <= now) ?? stretches[0];
  if (side === 'until') return stretches.find(({ to }) => to.wall >= now) ?? stretches.at(-1);
  if (side === 'before' && comes === 'often') return stretches.find(({ from }) => from.wall > now);
  if (comes === 'often' && isAhead) {
    const today = clock.startOf('day').toMillis();
    return stretches.find(({ from }) => from.wall >= today);
  }
  if (comes === 'often') return stretches.find(({ to }) => to.wall >= now);
  return stretches.toSorted((a, b) => distanceFrom(a, now) - distanceFrom(b, now))[0];
}

/** The time between now and the stretch. */
function distanceFrom({ from, to }: ClosedStretch, now: number): number {
  return Math.max(0, from.wall - now, now - to.wall);
}
