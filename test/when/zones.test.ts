import { describe, expect, test } from 'vitest';
import { momentsOf } from '../../src/when/moment.ts';
import { understandMoment } from '../../src/when/when.ts';
import { offsetAt, SEASONS } from '../../src/when/zones/wall-clock.ts';
import { POPULAR_ZONES, plainWords, zoneNamed } from '../../src/when/zones/zone-index.ts';
import { dependsOnZone, isZone, searchZones, zoneName } from '../../src/when/zones.ts';
import { listPhrases } from './read.ts';

const NOW = new Date('2026-11-20T10:15:00Z');

const findLabels = (words: string): readonly string[] => searchZones(words, NOW).map(({ label }) => label);

describe('the name of a time zone', () => {
  test.each(['Europe/Berlin', 'america/new_york', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'Etc/GMT-2'])(
    '%s is the name of a time zone',
    (name) => {
      expect(isZone(name)).toBe(true);
    },
  );

  test.each(['', 'Berlin', '+01:00', 'BST', 'ECT', 'Europe/Atlantis', 'Europe/Berlin '])(
    '%j is not the name of a time zone',
    (name) => {
      expect(isZone(name)).toBe(false);
    },
  );
});

test('the runtime’s name for the clock of a common zone is known, with its offset', () => {
  const clockNames = POPULAR_ZONES.flatMap((zone) =>
    SEASONS.flatMap((season) =>
      (['long', 'longGeneric'] as const).map((timeZoneName) => {
        const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName });
        const name = format.formatToParts(season).find(({ type }) => type === 'timeZoneName')?.value ?? '';
        return { name, offset: offsetAt(season, zone) };
      }),
    ),
  );
  const isKnown = ({ name, offset }: { name: string; offset: number }) => {
    const meaning = zoneNamed(plainWords(name));
    return meaning !== undefined && (meaning.offset ?? offset) === offset;
  };
  const words = clockNames.filter(({ name }) => !/\d/.test(name));
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((clock) => !isKnown(clock))).toEqual([]);
});

test.each([
  ['Europe/Berlin', 'Berlin'],
  ['America/New_York', 'New York'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
  ['Etc/UTC', 'UTC'],
  ['UTC', 'UTC'],
  ['Etc/GMT-2', 'UTC+02:00'],
])('the name of %s is %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});

describe('the search for time zones', () => {
  test('a label has the place, current offset and IANA name', () => {
    expect(findLabels('berlin')).toEqual(['Berlin (UTC+01:00) — Europe/Berlin']);
  });

  test('zones are found by the first letters of a place or a zone name', () => {
    expect(findLabels('lis')).toContain('Lisbon (UTC+00:00) — Europe/Lisbon');
    expect(findLabels('pacific')[0]).toBe('Los Angeles (UTC-08:00) — America/Los_Angeles');
    expect(findLabels('São Paulo')[0]).toBe('Sao Paulo (UTC-03:00) — America/Sao_Paulo');
  });

  test('zones are found by abbreviation, city, IANA name and offset', () => {
    expect(findLabels('PST')[0]).toContain('America/Los_Angeles');
    expect(findLabels('EST')[0]).toContain('America/New_York');
    expect(findLabels('BST').slice(0, 2).join()).toMatch(/London.*Dhaka/);
    expect(findLabels('mumbai')[0]).toContain('Asia/Kolkata');
    expect(findLabels('america/lima')[0]).toContain('America/Lima');
    expect(findLabels('UTC+5:30')).toContain('Kolkata (UTC+05:30) — Asia/Kolkata');
    expect(findLabels('+2').every((label) => label.includes('(UTC+02:00)'))).toBe(true);
  });

  test('an empty search offers common zones, and an unknown word finds none', () => {
    expect(searchZones('  ', NOW).length).toBeGreaterThan(20);
    expect(searchZones('xyzzy', NOW)).toEqual([]);
  });

  test('a search has at most 100 results of 75 characters, as Slack permits, and no duplicates', () => {
    for (const searchText of ['', 'a', 'america', 'e']) {
      const choices = searchZones(searchText, NOW);
      expect(choices.length).toBeLessThanOrEqual(100);
      expect(Math.max(...choices.map(({ label }) => label.length))).toBeLessThanOrEqual(75);
      expect(new Set(choices.map(({ zone }) => zone)).size).toBe(choices.length);
      expect(choices.every(({ zone }) => isZone(zone))).toBe(true);
    }
  });
});

describe('a time of somebody whose zone isn’t known', () => {
  const needsZone = (text: string, now = NOW) =>
    dependsOnZone((zone) =>
      momentsOf(understandMoment({ text, now, zone })).map(({ instant }) => instant.toISOString()),
    );

  test.each(['tomorrow 9am', '1 Dec', '2026-12-01 09:00', 'today', 'friday noon', 'tonight at 3'])(
    '“%s” depends on it',
    (text) => {
      expect(needsZone(text)).toBe(true);
    },
  );

  test('“today 9am” depends on it, also if it has passed in the east and in the west', () => {
    expect(needsZone('today 9am', new Date('2026-11-20T06:00:00Z'))).toBe(true);
  });

  test.each(
    listPhrases(`
    now | in 2 hours | in 20 minutes | in 3 | 1 Dec 9am Berlin | tomorrow 9am in Berlin | tomorrow 9am UTC
    tomorrow 9am CST | 2026-12-01T09:00+14:00 | 4pm ET / 1pm PT thursday | yesterday 5pm | blorp
  `),
  )('“%s” doesn’t', (text) => {
    expect(needsZone(text)).toBe(false);
  });
});
