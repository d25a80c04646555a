import type { DateTime } from 'luxon';
import type { WallClock } from '../../zones/wall-clock.ts';

/** An end of a stretch on the wall; the instant (ms) too where time that passes was counted. */
export interface Edge {
  wall: WallClock;
  instant?: number;
}

/** Both ends belong to it; a missing one is open. */
export interface Stretch {
  from?: Edge;
  to?: Edge;
}

/** Both ends are there. */
export interface ClosedStretch {
  from: Edge;
  to: Edge;
}

/** What one reading of some words names: a stretch once, each week or month (often), or each year; in order. */
export interface Named {
  stretches: readonly ClosedStretch[];
  comes: 'once' | 'often' | 'yearly';
  /** Named by its day of the month alone. */
  dayOfMonth?: number;
  note?: string;
}

/** When, where and in what language a range is read; `now` is the wall clock there. */
export interface RangeContext {
  now: DateTime;
  instant: number;
  zone: string;
  locale: string;
  /** ISO: 1 is Monday. */
  firstWeekday: number;
  /** Of what comes each week, only the one that is still whole is meant: for plans, not for lists. */
  isAhead: boolean;
}

export const MINUTE_MS = 60_000;
const LAST_MINUTE = 24 * 60 - 1;

/** A minute of the day that begins with this midnight on the wall. */
export function timeOn(midnight: WallClock, minute: number): Edge {
  return { wall: midnight + minute * MINUTE_MS };
}

/** The same as an end: 23:59 is how a clock without 24:00 says that the day is in to its end. */
export function endOn(midnight: WallClock, minute: number): Edge {
  return { wall: midnight + minute * MINUTE_MS + (minute === LAST_MINUTE ? MINUTE_MS - 1 : 0) };
}

/** From the first day's beginning to the last day's end; days are midnights on the wall, in UTC. */
export function wholeDays(first: DateTime, last: DateTime = first): ClosedStretch {
  return { from: { wall: first.startOf('day').toMillis() }, to: { wall: last.endOf('day').toMillis() } };
}

export function once(...stretches: readonly ClosedStretch[]): readonly Named[] {
  return stretches.map((stretch) => ({ stretches: [stretch], comes: 'once' }));
}

/** The first day of a day's week. */
export function weekStart(day: DateTime, firstWeekday: number): DateTime {
  return day.startOf('day').minus({ days: (day.weekday - firstWeekday + 7) % 7 });
}
