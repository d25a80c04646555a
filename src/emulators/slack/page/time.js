import { dateFormat } from './date-format.js';

/**
 * Moments as Slack writes them, always in a zone that the caller names.
 * @typedef {{ zone: string, locale: string }} Reader
 */

/**
 * A message's `ts` ("1733049600.000100") in ms.
 * @param {string} ts
 */
export const momentOf = (ts) => Math.floor(Number(ts) * 1000);

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {Intl.DateTimeFormatOptions} options
 */
function say(ms, reader, options) {
  return dateFormat(reader.locale, reader.zone, options).format(ms);
}

/**
 * @param {number} ms
 * @param {Reader} reader
 */
export const clock = (ms, reader) => say(ms, reader, { hour: 'numeric', minute: '2-digit' });

/**
 * Day and time in full, for a tooltip.
 * @param {number} ms
 * @param {Reader} reader
 */
export const fullMoment = (ms, reader) => `${say(ms, reader, { dateStyle: 'full' })} at ${clock(ms, reader)}`;

/**
 * The day as YYYY-MM-DD: equal for moments of one day in that zone.
 * @param {number} ms
 * @param {Reader} reader
 */
export const dayKey = (ms, reader) => dateFormat('en-CA', reader.zone, NUMERIC).format(ms);

/** @type {Intl.DateTimeFormatOptions} */
const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit' };

/**
 * The words of a day divider: Today, Yesterday, "Tuesday, December 1st".
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
export function dayDivider(ms, reader, now) {
  return capital(nearDay(ms, reader, now) ?? longDate(ms, reader, now));
}

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function nearDay(ms, reader, now) {
  const day = dayKey(ms, reader);
  for (const [words, offset] of NEAR_DAYS) {
    if (day === dayKey(now + offset * DAY, reader)) return words;
  }
  return undefined;
}

const DAY = 86_400_000;

/** @type {readonly [string, number][]} */
const NEAR_DAYS = [
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
];

/**
 * Slack's date tokens in `format`; a token that Slack does not know stays as it is.
 * @param {number} ms
 * @param {string} format e.g. `{date_short_pretty} at {time}`
 * @param {Reader} reader
 * @param {number} now
 */
export function formatDate(ms, format, reader, now) {
  return format.replace(/\{([a-z_]+)\}/g, (token, name) => tokenWords(name, ms, reader, now) ?? token);
}

/**
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 * @param {string} name
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function tokenWords(name, ms, reader, now) {
  switch (name) {
    case 'date_num':
      return dayKey(ms, reader);
    case 'date_slash':
      return say(ms, reader, NUMERIC);
    case 'date_long_full':
      return say(ms, reader, { month: 'long', day: 'numeric', year: 'numeric' });
    case 'date':
      return mediumDate(ms, reader, now);
    case 'date_short':
      return shortDate(ms, reader, now);
    case 'date_long':
      return longDate(ms, reader, now);
    case 'date_pretty':
      return nearDay(ms, reader, now) ?? mediumDate(ms, reader, now);
    case 'date_short_pretty':
      return nearDay(ms, reader, now) ?? shortDate(ms, reader, now);
    case 'day_divider_pretty':
    case 'date_long_pretty':
      return nearDay(ms, reader, now) ?? longDate(ms, reader, now);
    case 'time':
      return clock(ms, reader);
    case 'time_secs':
      return say(ms, reader, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return ago(ms, reader, now);
    default:
      return undefined;
  }
}

/** @type {(ms: number, reader: Reader, now: number) => string} */
const shortDate = (ms, reader, now) =>
  say(ms, reader, { month: 'short', day: 'numeric', ...yearIfFar(ms, now) });

/** @type {(ms: number, reader: Reader, now: number) => string} */
const mediumDate = (ms, reader, now) =>
  ordinal(ms, reader, { month: 'long', day: 'numeric', ...yearIfFar(ms, now) });

/** @type {(ms: number, reader: Reader, now: number) => string} */
const longDate = (ms, reader, now) =>
  ordinal(ms, reader, { weekday: 'long', month: 'long', day: 'numeric', ...yearIfFar(ms, now) });

/**
 * Slack leaves the year out within six months.
 * @param {number} ms
 * @param {number} now
 * @returns {Intl.DateTimeFormatOptions}
 */
const yearIfFar = (ms, now) => (Math.abs(ms - now) > 183 * DAY ? { year: 'numeric' } : {});

/**
 * In English the day carries its ending: December 1st.
 * @param {number} ms
 * @param {Reader} reader
 * @param {Intl.DateTimeFormatOptions} options
 */
function ordinal(ms, reader, options) {
  if (!reader.locale.startsWith('en')) return say(ms, reader, options);
  const parts = dateFormat(reader.locale, reader.zone, options).formatToParts(ms);
  return parts
    .map((part) => (part.type === 'day' ? part.value + ending(Number(part.value)) : part.value))
    .join('');
}

/** @param {number} day */
function ending(day) {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function ago(ms, reader, now) {
  const seconds = (ms - now) / 1000;
  const words = new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
  }
  return words.format(0, 'second');
}

/** @type {readonly [Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * The place in an IANA name: `America/New_York` → New York.
 * @param {string} zone
 */
export const placeOf = (zone) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
