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
export function sayRange({ from, to, zone }: Range, { now }: { now: Date }): string {
  const thisYear = new Date(wallClockAt(now.getTime(), zone)).getUTCFullYear();
  const first = from === undefined ? undefined : beginning(wallClockAt(from.getTime(), zone), thisYear);
  const last = to === undefined ? undefined : ending(wallClockAt(to.getTime(), zone), thisYear);
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

function beginning(wall: number, thisYear: number): SaidEnd {
  return { day: sayDay(wall, thisYear), time: wall % DAY_MS === 0 ? undefined : sayTime(wall) };
}

function ending(wall: number, thisYear: number): SaidEnd {
  const isWholeDay = wall % DAY_MS === DAY_MS - 1;
  return { day: sayDay(wall, thisYear), time: isWholeDay ? undefined : sayTime(wall) };
}

function sayDay(wall: number, thisYear: number): string {
  const date = new Date(wall);
  const year = date.getUTCFullYear() === thisYear ? '' : ` ${date.getUTCFullYear()}`;
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`;
}

function sayTime(wall: number): string {
  return sayMinute(Math.floor((wall % DAY_MS) / MINUTE_MS));
}
