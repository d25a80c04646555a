import { DateTime } from 'luxon';
import type { KnownDateOrder } from '../../date-order.ts';
import { formatDay } from '../../format-moment.ts';
import type { Limits } from '../../limits.ts';
import type { NotUnderstood } from '../../moment.ts';
import {
  DAY_MS,
  dateOf,
  formatTime,
  instantAfterGap,
  instantsShowing,
  MINUTE_MS,
  type WallClock,
  wallClockAt,
} from '../../zones/wall-clock.ts';
import { zoneName } from '../../zones.ts';
import type { ReadingLexicon } from '../question.ts';

/**
 * A stretch of time, including both ends. A missing end is open. A whole day ends with its last millisecond.
 * `zone` (an IANA name) is the zone of the days.
 */
export interface Range {
  from?: Date | undefined;
  to?: Date | undefined;
  zone: string;
}

/** `text` is the range in words, and `notes` tell people what was assumed. The likeliest candidate is first. */
export type RangeReading =
  | { kind: 'understood'; range: Range; text: string; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly { range: Range; text: string }[]; notes: readonly string[] }
  | NotUnderstood;

/** Converts wall time to instants. Includes both instants of a repeated wall time, and moves a skipped one forward. */
export function rangeOf({ from, to }: Stretch, zone: string): Range {
  return {
    ...(from === undefined ? {} : { from: new Date(beginning(from, zone)) }),
    ...(to === undefined ? {} : { to: new Date(ending(to, zone)) }),
    zone,
  };
}

function beginning({ wall, instant }: Edge, zone: string): number {
  return instant ?? instantsShowing(wall, zone)[0] ?? instantAfterGap(wall, zone);
}

/** The last millisecond of a minute ends where the next minute begins, even across a clock change. */
function ending({ wall, instant }: Edge, zone: string): number {
  if (instant !== undefined) return instant;
  if (wall % MINUTE_MS === MINUTE_MS - 1) return beginning({ wall: wall + 1 }, zone) - 1;
  return instantsShowing(wall, zone).at(-1) ?? instantAfterGap(wall, zone);
}

/**
 * Renders "Mon 16 Nov to Fri 20 Nov (Berlin)", "Fri 20 Nov, 09:00 to 12:00 (Berlin)" or "from Mon 16 Nov (Berlin)".
 * An end without a time is a whole day. The year is omitted if it's this year.
 */
export function renderRange({ from, to, zone }: Range, { now }: { now: Date }): string {
  const wallOf = (instant: number): number => wallClockAt(instant, zone);
  const renderEnd = (end: Date, outside: number) => {
    const wall = wallOf(end.getTime());
    // A clock that is set forward at midnight starts a day after 00:00, or ends it before 23:59.
    const isWholeDay = Math.floor(wall / DAY_MS) !== Math.floor(wallOf(end.getTime() + outside) / DAY_MS);
    const day = formatDay(wall, wallOf(now.getTime()));
    const time = isWholeDay ? undefined : formatTime(wall);
    return { day, time, text: time === undefined ? day : `${day}, ${time}` };
  };
  return `${joinEnds(from && renderEnd(from, -1), to && renderEnd(to, 1))} (${zoneName(zone)})`;
}

type RenderedEnd = Record<'day' | 'text', string> & { time: string | undefined };

function joinEnds(first: RenderedEnd | undefined, last: RenderedEnd | undefined): string {
  if (first === undefined) return last === undefined ? 'any time' : `until ${last.text}`;
  if (last === undefined) return `from ${first.text}`;
  if (first.day !== last.day) return `${first.text} to ${last.text}`;
  if (first.time === undefined && last.time === undefined) return first.day;
  return `${first.day}, ${first.time ?? '00:00'} to ${last.time ?? '23:59'}`;
}

/** An end of a stretch as wall time, and as an instant (ms) if elapsed time was counted, as in "the last 24 hours". */
export interface Edge {
  wall: WallClock;
  instant?: number;
}

/** A stretch of wall time, including both ends. */
export interface ClosedStretch {
  from: Edge;
  to: Edge;
}

/** A missing end is open. */
export type Stretch = Partial<ClosedStretch>;

/** The stretches that words name, in order. `comes`: once, every week or month ("often"), or every year. */
export interface Named {
  stretches: readonly ClosedStretch[];
  comes: 'once' | 'often' | 'yearly';
  /** Set if the words give only a day of the month. */
  dayOfMonth?: number;
  /** Set for a day of the current period, such as "the last friday of the month". */
  namesCurrentPeriod?: boolean;
  note?: string;
}

/** When, where and in which language a range is read. `now` is the zone's wall clock, in UTC. */
export interface RangeContext {
  now: DateTime;
  instant: number;
  zone: string;
  locale: string;
  dateOrder: KnownDateOrder;
  lexicon: ReadingLexicon;
  limits: Limits;
  /** ISO: 1 is Monday. */
  firstWeekday: number;
  /** Skips a weekly stretch that has begun, and a yearly one that has ended. For plans; lists of posts also look back. */
  isAhead: boolean;
}

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
  const lastMidnight = last.startOf('day').toMillis();
  return { from: { wall: first.startOf('day').toMillis() }, to: { wall: lastMidnight + DAY_MS - 1 } };
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
 * nearest of yearly ones, because lists of posts also look back. A plan has the next of yearly ones. "Since" isn't in the
 * future if there was one before, "until" isn't in the past, and "after the first monday of the month" isn't after next
 * month's. In a list of posts, "before the first monday of the month" is before this month's; in a plan, before the next
 * one to come.
 */
export function chooseStretch(
  { stretches, comes, namesCurrentPeriod = false }: Named,
  side: Side,
  { now: clock, isAhead }: RangeContext,
): ClosedStretch | undefined {
  const now = clock.toMillis();
  if (comes === 'once') return stretches[0];
  const isOfThisPeriod = namesCurrentPeriod && (side === 'after' || (side === 'before' && !isAhead));
  if (side === 'since' || isOfThisPeriod)
    return stretches.findLast(({ from }) => from.wall <= now) ?? stretches[0];
  if (side === 'until') return stretches.find(({ to }) => to.wall >= now) ?? stretches.at(-1);
  if (side === 'before' && (comes === 'often' || isAhead))
    return stretches.find(({ from }) => from.wall > now);
  const today = clock.startOf('day').toMillis();
  if (comes === 'often' && isAhead) return stretches.find(({ from }) => from.wall >= today);
  if (comes === 'often' || (isAhead && side === 'alone')) return stretches.find(({ to }) => to.wall >= now);
  const distance = ({ from, to }: ClosedStretch): number => Math.max(0, from.wall - now, now - to.wall);
  return stretches.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The first and last date of a stretch. Undefined if an end has a time. */
export function datesOf({ from, to }: Stretch): { from?: string; until?: string } | undefined {
  if (from !== undefined && from.wall % DAY_MS !== 0) return undefined;
  if (to !== undefined && to.wall % DAY_MS !== DAY_MS - 1) return undefined;
  return { ...(from && { from: dateOf(from.wall) }), ...(to && { until: dateOf(to.wall) }) };
}

export function weekFrom(first: DateTime): ClosedStretch {
  return wholeDays(first, first.plus({ days: 6 }));
}

/** ISO weeks begin on Monday everywhere. Some years have no week 53. */
export function isoWeek(weekYear: number, weekNumber: number): ClosedStretch | undefined {
  const first = DateTime.fromObject({ weekYear, weekNumber, weekday: 1 }, { zone: 'utc' });
  return first.isValid ? weekFrom(first) : undefined;
}

export function unitFrom(day: DateTime, unit: 'month' | 'quarter' | 'year'): ClosedStretch {
  return wholeDays(day.startOf(unit), day.endOf(unit));
}
