/** Cached formatters, because creating one takes longer than drawing a message. */
const FORMATS = new Map();

export function getDateFormat(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  FORMATS.set(key, format);
  return format;
}

/** The person for whom times are formatted. `zone`: IANA name. */
export type Reader = { zone: string; locale: string };

/** A message's `ts` ("1733049600.000100") in ms. */
export const parseTs = (ts: string) => Math.floor(Number(ts) * 1000);

function format(ms: number, reader: Reader, options: Intl.DateTimeFormatOptions) {
  return getDateFormat(reader.locale, reader.zone, options).format(ms);
}

export const formatTime = (ms: number, reader: Reader) =>
  format(ms, reader, { hour: 'numeric', minute: '2-digit' });

/** The full date and time, for a tooltip. */
export const formatFullDate = (ms: number, reader: Reader) =>
  `${format(ms, reader, { dateStyle: 'full' })} at ${formatTime(ms, reader)}`;

/** The day in the reader's zone as YYYY-MM-DD. */
export const getDayKey = (ms: number, reader: Reader) =>
  getDateFormat('en-CA', reader.zone, NUMERIC).format(ms);

const NUMERIC: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' };

/** The text of a day divider: "Today", "Yesterday", "Tuesday, December 1st". */
export function formatDayDivider(ms: number, reader: Reader, now: number) {
  const text = formatDate(ms, '{day_divider_pretty}', reader, now);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function findNearDay(ms: number, reader: Reader, now: number) {
  const day = getDayKey(ms, reader);
  for (const [name, offset] of NEAR_DAYS) {
    if (day === getDayKey(now + offset * DAY_MS, reader)) return name;
  }
  return undefined;
}

const DAY_MS = 86_400_000;

const NEAR_DAYS: readonly [string, number][] = [
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
];

/** Replaces Slack's date tokens. Unknown tokens stay. Such as `{date_short_pretty} at {time}`. */
export function formatDate(ms: number, format: string, reader: Reader, now: number) {
  return format.replace(/\{([a-z_]+)\}/g, (token, name) => formatToken(name, ms, reader, now) ?? token);
}

const LONG: Intl.DateTimeFormatOptions = { month: 'long', day: 'numeric' };
const SHORT: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
const WITH_WEEKDAY: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' };

/**
 * Dates without a year, which Slack adds to dates that are more than six months away. `isPretty`: days near today have
 * names.
 */
const DATES = new Map([
  ['date', { options: LONG, isPretty: false }],
  ['date_short', { options: SHORT, isPretty: false }],
  ['date_long', { options: WITH_WEEKDAY, isPretty: false }],
  ['date_pretty', { options: LONG, isPretty: true }],
  ['date_short_pretty', { options: SHORT, isPretty: true }],
  ['date_long_pretty', { options: WITH_WEEKDAY, isPretty: true }],
  ['day_divider_pretty', { options: WITH_WEEKDAY, isPretty: true }],
]);

/** https://docs.slack.dev/messaging/formatting-message-text/#date-formatting */
function formatToken(name: string, ms: number, reader: Reader, now: number) {
  const date = DATES.get(name);
  if (date) {
    const nearDay = date.isPretty ? findNearDay(ms, reader, now) : undefined;
    const isFar = Math.abs(ms - now) > 183 * DAY_MS;
    return nearDay ?? formatOrdinalDate(ms, reader, { ...date.options, ...(isFar && { year: 'numeric' }) });
  }
  switch (name) {
    case 'date_num':
      return getDayKey(ms, reader);
    case 'date_slash':
      return format(ms, reader, NUMERIC);
    case 'date_long_full':
      return format(ms, reader, { month: 'long', day: 'numeric', year: 'numeric' });
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

/** In English, the day after the whole name of a month is an ordinal number: December 1st. */
function formatOrdinalDate(ms: number, reader: Reader, options: Intl.DateTimeFormatOptions) {
  if (options.month !== 'long' || !reader.locale.startsWith('en')) return format(ms, reader, options);
  const parts = getDateFormat(reader.locale, reader.zone, options).formatToParts(ms);
  return parts
    .map((part) => (part.type === 'day' ? part.value + getOrdinalSuffix(Number(part.value)) : part.value))
    .join('');
}

function getOrdinalSuffix(day: number) {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function formatRelative(ms: number, reader: Reader, now: number) {
  const seconds = (ms - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(0, 'second');
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** The city in the IANA name of a zone: `America/New_York` → New York. */
export const getCity = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
