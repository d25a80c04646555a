import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import { languageCodeOf } from './grammar/languages.ts';
import type { Moment } from './moment.ts';
import {
  formatOffsetAt,
  formatTime,
  instantsShowing,
  MINUTE_MS,
  type WallClock,
  wallClockAt,
} from './zones/wall-clock.ts';
import { zoneName } from './zones.ts';

/**
 * "Tue 1 Dec, 09:00 (Berlin)", or "Di., 1. Dez., 09:00 (Berlin)" for a German locale. The text has the year unless it
 * is the current year in that zone, and the offset if the clock shows this time twice. The time has the clock of the
 * locale, with 24 hours by default. Reading the text in the same locale returns the same moment while the moment is in
 * the future.
 */
export function formatMoment(moment: Moment, options: FormatOptions): string {
  const { day, clock, place } = formatMomentParts(moment, options);
  return `${day}, ${clock} (${place})`;
}

interface FormatOptions {
  now: Date;
  locale?: string | undefined;
}

/** The parts of a rendered moment. */
export interface MomentParts {
  /** "Tue 1 Dec" */
  day: string;
  /** "Tue" */
  weekday: string;
  /** "09:00" */
  clock: string;
  /** "Berlin", with the offset if the clock shows this time twice. */
  place: string;
}

export function formatMomentParts(moment: Moment, options: FormatOptions): MomentParts {
  const { zone } = moment;
  const { locale } = options;
  const instant = moment.instant.getTime();
  const wall = wallClockAt(instant, zone);
  const isTwice = instantsShowing(wall - (wall % MINUTE_MS), zone).length > 1;
  return {
    day: formatMomentDay(moment, options),
    weekday: formatWeekday(wall, locale),
    clock: toLocalClock(formatTime(wall), locale),
    place: isTwice ? `${zoneName(zone)}, ${formatOffsetAt(instant, zone)}` : zoneName(zone),
  };
}

/** The same without the zone, for places that name it elsewhere. A time that the clock shows twice keeps it. */
export function formatMomentWithoutZone(moment: Moment, options: FormatOptions): string {
  return formatMoment(moment, options).replace(` (${zoneName(moment.zone)})`, '');
}

/** The day of a moment as `formatMoment` renders it: "Tue 1 Dec", or "Di., 1. Dez." for a German locale. */
export function formatMomentDay({ instant, zone }: Moment, { now, locale }: FormatOptions): string {
  return formatDay(wallClockAt(instant.getTime(), zone), wallClockAt(now.getTime(), zone), locale);
}

/** Converts "15:05" to "3:05 PM" for a locale with a 12-hour clock. Slack doesn't report its own setting to apps. */
export function toLocalClock(clock: string, locale: string | undefined): string {
  if (locale === undefined || !twelveHourClocks.memo(locale)) return clock;
  const [hour = 0, minute = ''] = [Number(clock.slice(0, 2)), clock.slice(3)];
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}

/**
 * Renders a note of a reading, which has 24-hour times, with the clock of a locale. Quoted words stay as they were
 * typed.
 */
export function renderNote(note: string, locale: string | undefined): string {
  if (note.includes('“')) return note;
  return note.replace(/(?<![+-])\b\d\d:\d\d\b/g, (clock) => toLocalClock(clock, locale));
}

/** Our own choice: more than Slack has languages. */
const MAX_LOCALES = 100;
/** Whether each locale has a 12-hour clock. Asking Intl takes 80 µs, and a list has dozens of times. */
const twelveHourClocks = new LRUCache<string, boolean>({
  max: MAX_LOCALES,
  memoMethod: findTwelveHourClock,
});

/** False for a locale that Intl doesn't know. */
function findTwelveHourClock(locale: string): boolean {
  try {
    return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  } catch {
    return false;
  }
}

/** The formatters of languages, with and without the year. They are slow to create. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** "Tue 1 Dec", with the year unless it is that of `now`. Both are wall times. */
export function formatDay(wall: WallClock, now: WallClock, locale = 'en'): string {
  const day = DateTime.fromMillis(wall, { zone: 'utc', locale: 'en' });
  const hasYear = new Date(now).getUTCFullYear() !== day.year;
  const language = languageCodeOf(locale);
  if (language === undefined) return day.toFormat(hasYear ? 'ccc d LLL yyyy' : 'ccc d LLL');
  return findFormatter(language, hasYear).format(wall);
}

/** "Tue", as `formatDay` renders it. */
function formatWeekday(wall: WallClock, locale = 'en'): string {
  const language = languageCodeOf(locale);
  if (language === undefined) return DateTime.fromMillis(wall, { zone: 'utc', locale: 'en' }).toFormat('ccc');
  const parts = findFormatter(language, false).formatToParts(wall);
  return parts.find(({ type }) => type === 'weekday')?.value ?? '';
}

function findFormatter(language: string, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${language} ${hasYear}`;
  const formatter = formatters.get(key) ?? createFormatter(language, hasYear);
  formatters.set(key, formatter);
  return formatter;
}

function createFormatter(language: string, hasYear: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    // “mar” is both Tuesday and March in Italian: “mar 1 set” would be ambiguous.
    weekday: language === 'it' ? 'long' : 'short',
    day: 'numeric',
    month: 'short',
    ...(hasYear && { year: 'numeric' }),
    timeZone: 'UTC',
  });
}
