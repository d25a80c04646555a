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
 * is the current year in that zone, and the offset if the clock shows this time twice. Reading the text in the same
 * locale returns the same moment while the moment is in the future.
 */
export function formatMoment(moment: Moment, options: { now: Date; locale?: string | undefined }): string {
  const { zone } = moment;
  const { now, locale = 'en' } = options;
  const instant = moment.instant.getTime();
  const wall = wallClockAt(instant, zone);
  const isTwice = instantsShowing(wall - (wall % MINUTE_MS), zone).length > 1;
  const place = isTwice ? `${zoneName(zone)}, ${formatOffsetAt(instant, zone)}` : zoneName(zone);
  return `${formatDay(wall, wallClockAt(now.getTime(), zone), locale)}, ${formatTime(wall)} (${place})`;
}

/** The formatters of languages, with and without the year. They are slow to create. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** "Tue 1 Dec", with the year unless it is that of `now`. Both are wall times. */
export function formatDay(wall: WallClock, now: WallClock, locale = 'en'): string {
  const day = DateTime.fromMillis(wall, { zone: 'utc', locale: 'en' });
  const hasYear = new Date(now).getUTCFullYear() !== day.year;
  const language = languageCodeOf(locale);
  if (language === undefined) return day.toFormat(hasYear ? 'ccc d LLL yyyy' : 'ccc d LLL');
  const key = `${language} ${hasYear}`;
  const formatter = formatters.get(key) ?? createFormatter(language, hasYear);
  formatters.set(key, formatter);
  return formatter.format(wall);
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
