import { languageCodeOf } from './grammar/languages.ts';
import type { Moment } from './moment.ts';
import { formatOffsetAt, instantsShowing, wallClockAt } from './zones/wall-clock.ts';
import { zoneName } from './zones.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * "Tue 1 Dec, 09:00 (Berlin)", or "Di., 1. Dez., 09:00 (Berlin)" for a German locale. The text has the year unless it
 * is the current year in that zone, and the offset if the clock shows this time twice. Reading the text in the same
 * locale returns the same moment while the moment is in the future.
 */
export function formatMoment(moment: Moment, options: { now: Date; locale?: string | undefined }): string {
  const { zone } = moment;
  const { now, locale = 'en' } = options;
  const instant = moment.instant.getTime();
  const wall = new Date(wallClockAt(instant, zone));
  const thisYear = new Date(wallClockAt(now.getTime(), zone)).getUTCFullYear();
  const day = formatDay(wall, { hasYear: wall.getUTCFullYear() !== thisYear, locale });
  const shown = wall.getTime() - (wall.getTime() % 60_000);
  const isTwice = instantsShowing(shown, zone).length > 1;
  const place = isTwice ? `${zoneName(zone)}, ${formatOffsetAt(instant, zone)}` : zoneName(zone);
  return `${day}, ${clock(wall)} (${place})`;
}

/** The formatters of languages, with and without the year. They are slow to create. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatDay(wall: Date, { hasYear, locale }: { hasYear: boolean; locale: string }): string {
  const language = languageCodeOf(locale);
  if (language === undefined) {
    const day = `${WEEKDAYS[wall.getUTCDay()]} ${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]}`;
    return hasYear ? `${day} ${wall.getUTCFullYear()}` : day;
  }
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

function clock(wall: Date): string {
  const hour = wall.getUTCHours();
  const minutes = String(wall.getUTCMinutes()).padStart(2, '0');
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
