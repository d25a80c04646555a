import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment, formatMomentWithoutZone } from '../../src/when/format-moment.ts';
import { ALL_ZONES } from '../../src/when/zones/zone-index.ts';
import { FRIDAY, read } from './read.ts';

const format = (instant: string, zone: string): string =>
  formatMoment({ instant: new Date(instant), zone }, { now: FRIDAY });

describe('the formatted text of a time', () => {
  test('the text has weekday, date, time and time zone', () => {
    expect(format('2026-12-01T08:00:00Z', 'Europe/Berlin')).toBe('Tue 1 Dec, 09:00 (Berlin)');
  });

  test('the text has the year unless it is the current year', () => {
    expect(format('2027-12-01T08:00:00Z', 'Europe/Berlin')).toBe('Wed 1 Dec 2027, 09:00 (Berlin)');
  });

  test('the current year is determined in the zone of the time, not in UTC', () => {
    expect(format('2027-01-01T08:00:00Z', 'Pacific/Honolulu')).toBe('Thu 31 Dec, 22:00 (Honolulu)');
  });

  test('the text has the offset only if a clock change repeats the time', () => {
    expect(format('2027-10-31T00:30:00Z', 'Europe/Berlin')).toBe(
      'Sun 31 Oct 2027, 02:30 (Berlin, UTC+02:00)',
    );
    expect(format('2027-10-31T01:30:00Z', 'Europe/Berlin')).toBe(
      'Sun 31 Oct 2027, 02:30 (Berlin, UTC+01:00)',
    );
    expect(format('2027-10-31T02:30:00Z', 'Europe/Berlin')).toBe('Sun 31 Oct 2027, 03:30 (Berlin)');
  });

  test.each([
    ['2027-10-31T01:30:00Z', 'Sun 31 Oct 2027, 02:30 (Berlin, UTC+01:00)'],
    ['2027-10-31T02:30:00Z', 'Sun 31 Oct 2027, 03:30'],
  ])('without the zone, the text names it only if a clock change repeats the time: %s', (at, text) =>
    expect(formatMomentWithoutZone({ instant: new Date(at), zone: 'Europe/Berlin' }, { now: FRIDAY })).toBe(
      text,
    ),
  );
});

test.each([
  ['en-US', 'Tue 1 Dec, 9:00 AM (Berlin)', 'Wed 1 Dec 2027, 9:00 AM (Berlin)'],
  ['en-GB', 'Tue 1 Dec, 09:00 (Berlin)', 'Wed 1 Dec 2027, 09:00 (Berlin)'],
  ['es-MX', 'mar, 1 dic, 9:00 AM (Berlin)', 'mié, 1 dic 2027, 9:00 AM (Berlin)'],
  ['de-DE', 'Di., 1. Dez., 09:00 (Berlin)', 'Mi., 1. Dez. 2027, 09:00 (Berlin)'],
  ['de_AT', 'Di., 1. Dez., 09:00 (Berlin)', 'Mi., 1. Dez. 2027, 09:00 (Berlin)'],
  ['fr-FR', 'mar. 1 déc., 09:00 (Berlin)', 'mer. 1 déc. 2027, 09:00 (Berlin)'],
  ['es-LA', 'mar, 1 dic, 09:00 (Berlin)', 'mié, 1 dic 2027, 09:00 (Berlin)'],
  ['nl-NL', 'di 1 dec, 09:00 (Berlin)', 'wo 1 dec 2027, 09:00 (Berlin)'],
  ['pt-BR', 'ter., 1 de dez., 09:00 (Berlin)', 'qua., 1 de dez. de 2027, 09:00 (Berlin)'],
  ['it-IT', 'martedì 1 dic, 09:00 (Berlin)', 'mercoledì 1 dic 2027, 09:00 (Berlin)'],
  ['ja-JP', '12月1日(火), 09:00 (Berlin)', '2027年12月1日(水), 09:00 (Berlin)'],
  ['fi-FI', 'Tue 1 Dec, 09:00 (Berlin)', 'Wed 1 Dec 2027, 09:00 (Berlin)'],
  ['no locale!', 'Tue 1 Dec, 09:00 (Berlin)', 'Wed 1 Dec 2027, 09:00 (Berlin)'],
])('in the locale %s', (locale, text, textWithYear) => {
  const formatYear = (year: number) =>
    formatMoment(
      { instant: new Date(`${year}-12-01T08:00:00Z`), zone: 'Europe/Berlin' },
      { now: FRIDAY, locale },
    );
  expect(formatYear(2026)).toBe(text);
  expect(formatYear(2027)).toBe(textWithYear);
});

const MINUTE_MS = 60_000;
const MINUTES_PER_YEAR = 366 * 24 * 60;

/** All zones of Node and of the app, some fixed offsets, and some aliases of zones. */
const EVERY_ZONE = [
  ...new Set([...ALL_ZONES, ...Intl.supportedValuesOf('timeZone')]),
  ...['UTC', 'Etc/GMT-2', 'Etc/GMT+11', 'US/Pacific', 'CET', 'EST'],
];

/** Times that a clock change repeats in Berlin, New York or Lord Howe. Random times hardly ever hit them. */
const REPEATED_TIMES = [
  ...['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', '2026-11-01T06:10:00Z', '2027-04-03T14:45:00Z'],
];

const wholeMinutes = fc
  .integer({ min: 1, max: 4 * MINUTES_PER_YEAR })
  .map((minutes) => FRIDAY.getTime() + minutes * MINUTE_MS);
const instants = fc.oneof(
  { weight: 4, arbitrary: wholeMinutes },
  fc.constantFrom(...REPEATED_TIMES.map(Date.parse)),
);

test('in every zone, reading a formatted time returns the same time', () => {
  for (const zone of EVERY_ZONE) {
    fc.assert(
      fc.property(
        instants,
        fc.constantFrom('Europe/Berlin', 'Asia/Tokyo', zone),
        fc.constantFrom('en-GB', 'en-US', 'es-MX'),
        (instant, zoneOfReader, locale) => {
          const now = new Date(Math.min(FRIDAY.getTime(), instant - MINUTE_MS));
          const text = formatMoment({ instant: new Date(instant), zone }, { now, locale });
          const reading = read(text, { now, zone: zoneOfReader, locale });
          expect({ text, reading }).toMatchObject({
            reading: { kind: 'understood', moment: { instant: new Date(instant) } },
          });
        },
      ),
      { numRuns: 8 },
    );
  }
});

/** Expects that the text without the zone, read where a field names the zone, is the same time. */
function expectReadInOwnZone(time: number, zone: string, locale: string | undefined): void {
  const now = new Date(Math.min(FRIDAY.getTime(), time - MINUTE_MS));
  const instant = new Date(time);
  const text = formatMomentWithoutZone({ instant, zone }, { now, locale });
  // Without a locale, the text is English for everybody.
  const reading = read(text, { now, zone, locale: locale ?? 'de-DE' });
  expect({ text, reading }).toMatchObject({ reading: { kind: 'understood', moment: { instant } } });
}

test('in every zone, reading a time without its zone there returns the same time', () => {
  for (const zone of EVERY_ZONE)
    fc.assert(
      fc.property(instants, fc.constantFrom('en-GB', 'en-US', 'de-DE', undefined), (time, locale) =>
        expectReadInOwnZone(time, zone, locale),
      ),
      { numRuns: 5 },
    );
});

test.each([...REPEATED_TIMES, '2027-11-07T05:30:00Z', '2027-11-07T06:30:00Z'])(
  '%s, which some clocks show twice, is the same time without its zone',
  (time) => {
    for (const zone of ['Europe/Berlin', 'Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'UTC'])
      expectReadInOwnZone(Date.parse(time), zone, undefined);
  },
);
