import { getDayKey } from './time.js';

/** @import { Reader } from './time.js' */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * How far a zone's clocks are ahead of UTC at a moment, ms.
 * @param {number} ms
 * @param {string} zone
 */
function offsetAt(ms, zone) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms);
  /** @param {string} type */
  const part = (type) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - Math.floor(ms / 1000) * 1000;
}

/**
 * The moment, in ms, at which the clocks of a zone show this time on that day (YYYY-MM-DD).
 * @param {string} day
 * @param {string} time HH:MM
 * @param {string} zone
 */
function toInstant(day, time, zone) {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const guess = wall - offsetAt(wall, zone);
  // Across a change of the clocks the first guess is an hour off.
  return wall - offsetAt(guess, zone);
}

/**
 * The same time on another day, in the reader's zone. Half a day is added so that no day of 23 or 25 hours is missed.
 * @param {number} now
 * @param {number} days
 * @param {string} time HH:MM
 * @param {Reader} reader
 */
function addDays(now, days, time, reader) {
  const noon = toInstant(getDayKey(now, reader), '12:00', reader.zone);
  return toInstant(getDayKey(noon + days * DAY_MS, reader), time, reader.zone);
}

/**
 * Where the clock can be moved to, soonest first: a minute before nine, when a digest of nine o'clock is about to come.
 * @param {number} now
 * @param {Reader} reader
 * @returns {{ key: string, label: string, to: number }[]}
 */
export function listClockJumps(now, reader) {
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: reader.zone, weekday: 'short' }).format(now);
  const toMonday = 7 - ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday);
  const jumps = [
    { key: 'hour', label: 'Jump an hour on', to: now + HOUR_MS },
    { key: 'today', label: 'Jump to today 8:59', to: addDays(now, 0, '08:59', reader) },
    { key: 'tomorrow', label: 'Jump to tomorrow 8:59', to: addDays(now, 1, '08:59', reader) },
    { key: 'monday', label: 'Jump to Monday 8:59', to: addDays(now, toMonday, '08:59', reader) },
  ];
  return jumps.filter(({ key, to }) => to > now && (key !== 'monday' || toMonday > 1));
}
