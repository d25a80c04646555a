import { describe, expect, test } from 'vitest';
import { isZone, readScheduleDate, toInstant } from '../../src/posts/schedule-date.ts';

function parseInstant(text: string, zone = 'UTC'): string | undefined {
  const moment = readScheduleDate(text);
  return moment && new Date(toInstant(moment, zone)).toISOString();
}

describe('a ScheduleDate', () => {
  test.each([
    [
      'with an offset means that instant in every zone',
      '2026-12-01T09:00:00+01:00',
      'Asia/Tokyo',
      '2026-12-01T08:00:00.000Z',
    ],
    ['with Z means UTC', '2026-12-01T09:00:00Z', 'Asia/Tokyo', '2026-12-01T09:00:00.000Z'],
    ['with a western offset is later in UTC', '2026-12-01T23:30:00-03:30', 'UTC', '2026-12-02T03:00:00.000Z'],
    [
      'without an offset means the wall time in its zone',
      '2026-12-01T09:00:00',
      'Europe/Berlin',
      '2026-12-01T08:00:00.000Z',
    ],
    [
      'without seconds means the full minute',
      '2026-07-01T09:00',
      'Europe/Berlin',
      '2026-07-01T07:00:00.000Z',
    ],
    [
      'with microseconds is truncated to milliseconds',
      '2026-07-01T09:00:00.123987Z',
      'UTC',
      '2026-07-01T09:00:00.123Z',
    ],
    [
      'in a spring gap moves later by the length of the gap',
      '2027-03-28T02:30:00',
      'Europe/Berlin',
      '2027-03-28T01:30:00.000Z',
    ],
    [
      'in an autumn overlap means the first of the two instants',
      '2026-10-25T02:30:00',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'in a gap of half an hour moves by half an hour',
      '2027-10-03T02:15:00',
      'Australia/Lord_Howe',
      '2027-10-02T15:45:00.000Z',
    ],
    [
      'on a day that the zone skipped moves to the next day',
      '2011-12-30T12:00:00',
      'Pacific/Apia',
      '2011-12-30T22:00:00.000Z',
    ],
    ['on 29 February of a leap year exists', '2028-02-29T09:00:00Z', 'UTC', '2028-02-29T09:00:00.000Z'],
    ['in the year 9999 exists', '9999-12-31T23:59:59Z', 'UTC', '9999-12-31T23:59:59.000Z'],
    ['in the year 1 exists', '0001-01-01T00:00:00Z', 'UTC', '0001-01-01T00:00:00.000Z'],
  ])('a ScheduleDate %s', (_name, text, zone, expected) => {
    expect(parseInstant(text, zone)).toBe(expected);
  });

  test.each([
    '2027-02-29T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T09:60:00Z',
    '2026-12-01T09:00:60Z',
    '0000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-12-01',
    '2026-12-01T09:00:00+24:00',
    '2026-12-01T09:00:00 01:00',
    'tomorrow',
    '1764579600',
    '',
  ])('%j is not a ScheduleDate', (text) => {
    expect(readScheduleDate(text)).toBeUndefined();
  });
});

describe('a time zone', () => {
  test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s exists', (name) => {
    expect(isZone(name)).toBe(true);
  });

  test.each(['Europe/Berlim', '+01:00', '', 'local', '__proto__', 'a'.repeat(100_000)])(
    '%j does not exist',
    (name) => {
      expect(isZone(name)).toBe(false);
    },
  );
});
