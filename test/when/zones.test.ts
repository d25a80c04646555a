import { describe, expect, test } from 'vitest';
import { isZone, searchZones, zoneName } from '../../src/when/zones.ts';

const NOW = new Date('2026-11-20T10:15:00Z');

const labels = (words: string): readonly string[] => searchZones(words, NOW).map(({ label }) => label);

describe('isZone', () => {
  test.each(['Europe/Berlin', 'america/new_york', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'Etc/GMT-2'])(
    'takes %s',
    (name) => {
      expect(isZone(name)).toBe(true);
    },
  );

  test.each(['', 'Berlin', '+01:00', 'Europe/Atlantis', 'Europe/Berlin '])('refuses %j', (name) => {
    expect(isZone(name)).toBe(false);
  });
});

describe('zoneName', () => {
  test.each([
    ['Europe/Berlin', 'Berlin'],
    ['America/New_York', 'New York'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
    ['Etc/UTC', 'UTC'],
    ['UTC', 'UTC'],
    ['Etc/GMT-2', 'UTC+02:00'],
  ])('%s is %s', (zone, name) => {
    expect(zoneName(zone)).toBe(name);
  });
});

describe('searchZones', () => {
  test('labels with place, offset now and IANA name', () => {
    expect(labels('berlin')).toEqual(['Berlin (UTC+01:00) — Europe/Berlin']);
  });

  test('finds by the beginning of a place, of another word and of the name for the clock', () => {
    expect(labels('lis')).toContain('Lisbon (UTC+00:00) — Europe/Lisbon');
    expect(labels('pacific')[0]).toBe('Los Angeles (UTC-08:00) — America/Los_Angeles');
    expect(labels('São Paulo')[0]).toBe('Sao Paulo (UTC-03:00) — America/Sao_Paulo');
  });

  test('finds by abbreviation, city, IANA name and offset', () => {
    expect(labels('PST')[0]).toContain('America/Los_Angeles');
    expect(labels('mumbai')[0]).toContain('Asia/Kolkata');
    expect(labels('america/lima')[0]).toContain('America/Lima');
    expect(labels('UTC+5:30')).toContain('Kolkata (UTC+05:30) — Asia/Kolkata');
    expect(labels('+2').every((label) => label.includes('(UTC+02:00)'))).toBe(true);
  });

  test('without words offers the zones of many people, and for strange words nothing', () => {
    expect(searchZones('  ', NOW).length).toBeGreaterThan(20);
    expect(searchZones('xyzzy', NOW)).toEqual([]);
  });

  test('keeps what Slack takes: at most 100 choices, of at most 75 characters, each zone once', () => {
    for (const words of ['', 'a', 'america', 'e']) {
      const found = searchZones(words, NOW);
      expect(found.length).toBeLessThanOrEqual(100);
      expect(Math.max(...found.map(({ label }) => label.length))).toBeLessThanOrEqual(75);
      expect(new Set(found.map(({ zone }) => zone)).size).toBe(found.length);
      expect(found.every(({ zone }) => isZone(zone))).toBe(true);
    }
  });
});
