import { spelled, withoutAccents } from './grammar/european/vocabulary.ts';
import { inAnyLanguage } from './grammar/languages.ts';
import { lazily, wholeWords } from './grammar/rule.ts';
import { offsetAt, SEASONS } from './zones/wall-clock.ts';
import { plainWords, zoneNamed } from './zones/zone-index.ts';

const CLOCK = '\\d{1,2}(?:[:.h]\\d\\d)?\\s?(?:[ap]\\.?m\\.?)?(?:\\suhr)?';
const TIMES = `(?<from>${CLOCK})\\s?[-–—]\\s?(?<to>${CLOCK})`;

/** Google's calendar: "Tuesday, December 8⋅9:00 – 9:30am". */
const WITH_DOT = new RegExp(`^(?<day>[^⋅·]*\\d[^⋅·]*?)\\s?[⋅·]\\s?${TIMES}(?<zone>\\D.*|)$`, 'iu');

/** Outlook, whose offset is the winter's in summer too: "8 December 2026 09:00-09:30 (UTC+01:00) Amsterdam, Berlin". */
const WITH_PLACES = new RegExp(
  `^(?<day>.*\\d.*?)\\s${TIMES}\\s?\\((?<zone>UTC(?:[+-−]\\d\\d?:\\d\\d)?)\\)\\s(?<places>\\P{N}+)$`,
  'iu',
);

/** The invitations of both: "Thu Dec 10, 2026 9:30am – 10am (EST)". Without weekday and year, people type a range. */
const WITH_YEAR = new RegExp(`^(?<day>.*(?<!\\d)20\\d\\d(?!\\d).*?)\\s${TIMES}(?<zone>\\s?\\(.+\\)|)$`, 'iu');

/** A line of a calendar file (RFC 5545): "DTSTART;TZID=Europe/Berlin:20261208T090000". */
const OF_FILE = /^DTSTART(?:;TZID=(?<zone>[^:;]+))?(?:;[^:]+)?:(?<day>\d{8}(?:T\d{6}Z?)?)$/i;

const WEEKDAY = lazily(() => wholeWords(spelled(inAnyLanguage(({ grammar }) => grammar.weekdays.join('|')))));

/** An invitation's line with all its places has about 110 UTF-16 units. The patterns take quadratic time for figures. */
const MAX_LENGTH = 300;

/** The beginning of an event that was copied from a calendar, and a note about its end. Undefined for other texts. */
export function calendarEvent(text: string, ownZone: string) {
  if (text.length > MAX_LENGTH) return undefined;
  const line = text.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  const { day: date, zone: ofFile = '' } = OF_FILE.exec(line)?.groups ?? {};
  if (date !== undefined) return { begin: `${date} ${ofFile}`, notes: [] };
  const found = WITH_DOT.exec(line) ?? WITH_PLACES.exec(line) ?? WITH_YEAR.exec(line);
  const { day = '', from = '', to = '', zone = '', places } = found?.groups ?? {};
  const isEvent = found !== null && (/[⋅·]/.test(line) || WEEKDAY().test(withoutAccents(day)));
  if (!isEvent) return undefined;
  const inZone = places === undefined ? zone : (zoneOf(places, ownZone) ?? zone);
  return {
    begin: `${day} ${withHalfOfDay(from, to)} ${inZone}`,
    notes: [`The end (${to.trim()}) isn’t used.`],
  };
}

/** "9:00 – 9:30am" begins in the morning, and so does "11:30 – 12:30pm". */
function withHalfOfDay(from: string, to: string): string {
  const [, half] = /([ap])\.?m/i.exec(to) ?? [];
  if (half === undefined || /[ap]\.?m/i.test(from)) return from;
  const isAfter = Number.parseInt(from, 10) % 12 > Number.parseInt(to, 10) % 12;
  return `${from}${isAfter && /p/i.test(half) ? 'a' : half}m`;
}

/** The reader's own zone if its clock is that of the places, or else the first that is known. */
function zoneOf(places: string, ownZone: string): string | undefined {
  const names = places.replace(/\s?\(.*/, '').split(/, ?/);
  const zones = names.flatMap((name) => zoneNamed(plainWords(name))?.zone ?? []);
  const [first] = zones;
  const isOwn = (zone: string) =>
    zone === ownZone || SEASONS.every((season) => offsetAt(season, zone) === offsetAt(season, ownZone));
  return first !== undefined && isOwn(first) ? ownZone : (zones.find(isOwn) ?? first);
}
