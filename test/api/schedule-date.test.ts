import { describe, expect, test } from 'vitest';
import { readScheduleDate, writeScheduleDate } from '../../src/api/posts.ts';

describe('formatting a schedule date', () => {
  const cases: [string, string, string][] = [
    ['2026-12-01T08:00:00.000Z', 'Europe/Berlin', '2026-12-01T09:00:00+01:00'],
    ['2026-07-01T08:00:00.999Z', 'Europe/Berlin', '2026-07-01T10:00:00+02:00'],
    ['2026-12-01T08:00:30.000Z', 'America/New_York', '2026-12-01T03:00:30-05:00'],
    ['2026-12-01T08:00:00.000Z', 'Asia/Kathmandu', '2026-12-01T13:45:00+05:45'],
    ['2026-12-01T08:00:00.000Z', 'UTC', '2026-12-01T08:00:00+00:00'],
    ['2026-12-01T08:00:00.000Z', 'Etc/GMT+5', '2026-12-01T03:00:00-05:00'],
    // The hour that is repeated at the end of summer time. The offset tells the two instants apart.
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
  ];
  for (const [instant, zone, text] of cases) {
    test(`the schedule date for ${instant} in ${zone} is ${text}`, () => {
      expect(writeScheduleDate(new Date(instant), zone)).toBe(text);
      expect(readScheduleDate(text, zone)?.getTime()).toBe(Math.floor(Date.parse(instant) / 1_000) * 1_000);
    });
  }

  test('a schedule date can’t be formatted with an invalid zone or date', () => {
    for (const zone of ['Mars/Olympus', '+03:00', 'local', '', 'UTC+3']) {
      expect(() => writeScheduleDate(new Date(0), zone)).toThrow(RangeError);
    }
    expect(() => writeScheduleDate(new Date(Number.NaN), 'UTC')).toThrow(RangeError);
  });
});

describe('parsing a schedule date', () => {
  const cases: [string, string | undefined, string | undefined][] = [
    ['2026-12-01T09:00:00+01:00', undefined, '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00:00+0100', 'Asia/Tokyo', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00:00Z', 'Asia/Tokyo', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01 09:00:00.123456', 'Europe/Berlin', '2026-12-01T08:00:00.123Z'],
    ['2026-12-01 09:00:00.123456+01:00', undefined, '2026-12-01T08:00:00.123Z'],
    ['2026-12-01', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['2026-12-01T09:00:00', undefined, undefined],
    ['2026-12-01T09:00:00', 'Mars/Olympus', undefined],
    ['2026-13-45T09:00:00Z', undefined, undefined],
    ['tomorrow', 'Europe/Berlin', undefined],
    ['NaN', 'UTC', undefined],
    ['', 'UTC', undefined],
  ];
  for (const [text, zone, instant] of cases) {
    test(`the schedule date "${text}" with zone ${zone} is ${instant ?? 'unreadable'}`, () => {
      expect(readScheduleDate(text, zone)?.toISOString()).toBe(instant);
    });
  }
});
