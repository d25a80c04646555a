import type { NotUnderstood } from '../../moment.ts';
import { sayMinute } from '../../policy/default-times.ts';
import { instantAfterGap, instantsShowing, wallClockAt } from '../../zones/wall-clock.ts';
import { zoneName } from '../../zones.ts';
import type { Edge, Stretch } from './stretch.ts';

/**
 * A stretch of time, including both ends. A missing end is open. A whole day ends with its last millisecond.
 * `zone` (an IANA name) is the zone of the days.
 */
export interface Range {
  from?: Date;
  to?: Date;
  zone: string;
}

/** `text` is the range in words, and `notes` tell people what was assumed. The likeliest candidate is first. */
export type RangeReading =
  | { kind: 'understood'; range: Range; text: string; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly { range: Range; text: string }[]; notes: readonly string[] }
  | NotUnderstood;

const MINUTE_MS = 60_000;

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

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const DAY_MS = 86_400_000;

/**
 * Renders "Mon 16 Nov to Fri 20 Nov (Berlin)", "Fri 20 Nov, 09:00 to 12:00 (Berlin)" or "from Mon 16 Nov (Berlin)".
 * An end without a time is a whole day. The year is omitted if it's this year.
 */
export function renderRange({ from, to, zone }: Range, { now }: { now: Date }): string {
  const thisYear = new Date(wallClockAt(now.getTime(), zone)).getUTCFullYear();
  // A clock that is set forward at midnight starts a day after 00:00, or ends it before 23:59.
  const first = from && saidEnd(from, new Date(from.getTime() - 1), { zone, thisYear });
  const last = to && saidEnd(to, new Date(to.getTime() + 1), { zone, thisYear });
  return `${sayEnds(first, last)} (${zoneName(zone)})`;
}

/** An end in words. A whole day has no time. */
interface SaidEnd {
  day: string;
  time: string | undefined;
}

function sayEnds(first: SaidEnd | undefined, last: SaidEnd | undefined): string {
  if (first === undefined) return last === undefined ? 'any time' : `until ${sayEnd(last)}`;
  if (last === undefined) return `from ${sayEnd(first)}`;
  if (first.day !== last.day) return `${sayEnd(first)} to ${sayEnd(last)}`;
  if (first.time === undefined && last.time === undefined) return first.day;
  return `${first.day}, ${first.time ?? '00:00'} to ${last.time ?? '23:59'}`;
}

function sayEnd({ day, time }: SaidEnd): string {
  return time === undefined ? day : `${day}, ${time}`;
}

/** `beside` is just outside the range. If it's on another day, the range includes the whole day of this end. */
function saidEnd(end: Date, beside: Date, { zone, thisYear }: { zone: string; thisYear: number }): SaidEnd {
  const wall = wallClockAt(end.getTime(), zone);
  const isWholeDay = dayOf(wall) !== dayOf(wallClockAt(beside.getTime(), zone));
  return { day: sayDay(wall, thisYear), time: isWholeDay ? undefined : sayTime(wall) };
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

function sayDay(wall: number, thisYear: number): string {
  const date = new Date(wall);
  const year = date.getUTCFullYear() === thisYear ? '' : ` ${date.getUTCFullYear()}`;
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`;
}

function sayTime(wall: number): string {
  return sayMinute(Math.floor((wall % DAY_MS) / MINUTE_MS));
}
