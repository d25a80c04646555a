import { sayMinute } from '../../policy/default-times.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import { zoneName } from '../../zones.ts';
import type { Range } from './range.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * "Mon 16 Nov to Fri 20 Nov (Berlin)", "Fri 20 Nov, 09:00 to 12:00 (Berlin)", "from Mon 16 Nov (Berlin)": without
 * a time an end is its whole day; with the year unless it is this one.
 */
export function renderRange({ from, to, zone }: Range, { now }: { now: Date }): string {
  const thisYear = new Date(wallClockAt(now.getTime(), zone)).getUTCFullYear();
  // Where the clock is set forward at midnight, a day begins after 00:00 or ends before 23:59.
  const first = from && saidEnd(from, new Date(from.getTime() - 1), { zone, thisYear });
  const last = to && saidEnd(to, new Date(to.getTime() + 1), { zone, thisYear });
  return `${sayEnds(first, last)} (${zoneName(zone)})`;
}

/** An end in words: the day, and the time unless it is the whole day. */
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

/** `beside`: the moment on the other side of this end, which is of another day where the range has the whole day. */
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
