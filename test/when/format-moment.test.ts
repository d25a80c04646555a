import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment } from '../../src/when/format-moment.ts';
import { ALL_ZONES } from '../../src/when/zones/zone-index.ts';
import { FRIDAY, read } from './read.ts';

const say = (instant: string, zone: string): string =>
  formatMoment({ instant: new Date(instant), zone }, { now: FRIDAY });

describe('a moment in words', () => {
  test('has weekday, date, time and zone', () => {
    expect(say('2026-12-01T08:00:00Z', 'Europe/Berlin')).toBe('Tue 1 Dec, 09:00 (Berlin)');
  });

  test('has the year unless it is this one', () => {
    expect(say('2027-12-01T08:00:00Z', 'Europe/Berlin')).toBe('Wed 1 Dec 2027, 09:00 (Berlin)');
  });

  test('counts the year where the moment is: it is still this one in Honolulu', () => {
    expect(say('2027-01-01T08:00:00Z', 'Pacific/Honolulu')).toBe('Thu 31 Dec, 22:00 (Honolulu)');
  });

  test('has the offset where the clock shows the time twice, and only there', () => {
    expect(say('2027-10-31T00:30:00Z', 'Europe/Berlin')).toBe('Sun 31 Oct 2027, 02:30 (Berlin, UTC+02:00)');
    expect(say('2027-10-31T01:30:00Z', 'Europe/Berlin')).toBe('Sun 31 Oct 2027, 02:30 (Berlin, UTC+01:00)');
    expect(say('2027-10-31T02:30:00Z', 'Europe/Berlin')).toBe('Sun 31 Oct 2027, 03:30 (Berlin)');
  });
});

const MINUTE_MS = 60_000;
const YEAR_OF_MINUTES = 366 * 24 * 60;

/** Names of the zone database that Node lists, ours of today, offsets, and links. */
const EVERY_ZONE = [
  ...new Set([...ALL_ZONES, ...Intl.supportedValuesOf('timeZone')]),
  'UTC',
  'Etc/GMT-2',
  'Etc/GMT+11',
  'US/Pacific',
  'CET',
  'EST',
];

/** Autumn hours of Berlin, New York and Lord Howe, where a random minute hardly ever falls. */
const TWICE = [
  '2027-10-31T00:30:00Z',
  '2027-10-31T01:30:00Z',
  '2026-11-01T06:10:00Z',
  '2027-04-03T14:45:00Z',
];

const wholeMinutes = fc
  .integer({ min: 1, max: 4 * YEAR_OF_MINUTES })
  .map((m) => FRIDAY.getTime() + m * MINUTE_MS);
const instants = fc.oneof({ weight: 4, arbitrary: wholeMinutes }, fc.constantFrom(...TWICE.map(Date.parse)));

describe('what is said, read again', () => {
  test('is the same moment, in every zone, wherever the reader is', () => {
    for (const zone of EVERY_ZONE) {
      fc.assert(
        fc.property(
          instants,
          fc.constantFrom('Europe/Berlin', 'Asia/Tokyo', zone),
          (instant, readersZone) => {
            const now = new Date(Math.min(FRIDAY.getTime(), instant - MINUTE_MS));
            const words = formatMoment({ instant: new Date(instant), zone }, { now });
            const reading = read(words, { now, zone: readersZone });
            expect({ words, reading }).toMatchObject({
              reading: { kind: 'understood', moment: { instant: new Date(instant) } },
            });
          },
        ),
        { numRuns: 8 },
      );
    }
  });
});
