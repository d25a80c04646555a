import { getDateFormat } from './date-format.js';

/**
 * The person for whom times are formatted. `zone`: IANA name.
 * @typedef {{ zone: string, locale: string }} Reader
 */

/**
 * A message's `ts` ("1733049600.000100") in ms.
 * @param {string} ts
 */
export const parseTs = (ts) => Math.floor(Number(ts) * 1000);

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(ms, reader, options) {
  return getDateFormat(reader.locale, reader.zone, options).format(ms);
}

/**
 * @param {number} ms
 * @param {Reader} reader
 */
export const formatTime = (ms, reader) => format(ms, reader, { hour: 'numeric', minute: '2-digit' });

/**
 * The full date and time, for a tooltip.
 * @param {number} ms
 * @param {Reader} reader
 */
export const formatFullDate = (ms, reader) =>
  `${format(ms, reader, { dateStyle: 'full' })} at ${formatTime(ms, reader)}`;

/**
 * The day in the reader's zone as YYYY-MM-DD.
 * @param {number} ms
 * @param {Reader} reader
 */
export const getDayKey = (ms, reader) => getDateFormat('en-CA', reader.zone, NUMERIC).format(ms);

/** @type {Intl.DateTimeFormatOptions} */
const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit' };

/**
 * The text of a day divider: "Today", "Yesterday", "Tuesday, December 1st".
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
export function formatDayDivider(ms, reader, now) {
  return capitalize(findNearDay(ms, reader, now) ?? formatLongDate(ms, reader, now));
}

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function findNearDay(ms, reader, now) {
  const day = getDayKey(ms, reader);
  for (const [name, offset] of NEAR_DAYS) {
    if (day === getDayKey(now + offset * DAY_MS, reader)) return name;
  }
  return undefined;
}

const DAY_MS = 86_400_000;

/** @type {readonly [string, number][]} */
const NEAR_DAYS = [
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
];

/**
 * Replaces Slack's date tokens. Unknown tokens stay.
 * @param {number} ms
 * @param {string} format e.g. `{date_short_pretty} at {time}`
 * @param {Reader} reader
 * @param {number} now
 */
export function formatDate(ms, format, reader, now) {
  return format.replace(/\{([a-z_]+)\}/g, (token, name) => formatToken(name, ms, reader, now) ?? token);
}

/**
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 * @param {string} name
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function formatToken(name, ms, reader, now) {
  switch (name) {
    case 'date_num':
      return getDayKey(ms, reader);
    case 'date_slash':
      return format(ms, reader, NUMERIC);
    case 'date_long_full':
      return format(ms, reader, { month: 'long', day: 'numeric', year: 'numeric' });
    case 'date':
      return formatMediumDate(ms, reader, now);
    case 'date_short':
      return formatShortDate(ms, reader, now);
    case 'date_long':
      return formatLongDate(ms, reader, now);
    case 'date_pretty':
      return findNearDay(ms, reader, now) ?? formatMediumDate(ms, reader, now);
    case 'date_short_pretty':
      return findNearDay(ms, reader, now) ?? formatShortDate(ms, reader, now);
    case 'day_divider_pretty':
    case 'date_long_pretty':
      return findNearDay(ms, reader, now) ?? formatLongDate(ms, reader, now);
    case 'time':
      return formatTime(ms, reader);
    case 'time_secs':
      return format(ms, reader, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return formatRelative(ms, reader, now);
    default:
      return undefined;
  }
}

/** @type {(ms: number, reader: Reader, now: number) => string} */
const formatShortDate = (ms, reader, now) =>
  format(ms, reader, { month: 'short', day: 'numeric', ...getYearOption(ms, now) });

/** @type {(ms: number, reader: Reader, now: number) => string} */
const formatMediumDate = (ms, reader, now) =>
  formatOrdinalDate(ms, reader, { month: 'long', day: 'numeric', ...getYearOption(ms, now) });

/** @type {(ms: number, reader: Reader, now: number) => string} */
const formatLongDate = (ms, reader, now) =>
  formatOrdinalDate(ms, reader, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...getYearOption(ms, now),
  });

/**
 * Slack omits the year of dates within six months.
 * @param {number} ms
 * @param {number} now
 * @returns {Intl.DateTimeFormatOptions}
 */
const getYearOption = (ms, now) => (Math.abs(ms - now) > 183 * DAY_MS ? { year: 'numeric' } : {});

/**
 * In English, the day is an ordinal number: December 1st.
 * @param {number} ms
 * @param {Reader} reader
 * @param {Intl.DateTimeFormatOptions} options
 */
function formatOrdinalDate(ms, reader, options) {
  if (!reader.locale.startsWith('en')) return format(ms, reader, options);
  const parts = getDateFormat(reader.locale, reader.zone, options).formatToParts(ms);
  return parts
    .map((part) => (part.type === 'day' ? part.value + getOrdinalSuffix(Number(part.value)) : part.value))
    .join('');
}

/** @param {number} day */
function getOrdinalSuffix(day) {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/**
 * @param {number} ms
 * @param {Reader} reader
 * @param {number} now
 */
function formatRelative(ms, reader, now) {
  const seconds = (ms - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(0, 'second');
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

/** @param {string} text */
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The city in the IANA name of a zone: `America/New_York` → New York.
 * @param {string} zone
 */
export const getCity = (zone) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
