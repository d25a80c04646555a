import { describe, expect, test } from 'vitest';
import { listClockJumps } from '../../src/page/clock-switch.ts';
import { formatDate, formatDayDivider, formatTime, getCity } from '../../src/page/time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const berlin = { zone: 'Europe/Berlin', locale: 'en-DE' };
const lisbon = { zone: 'Europe/Lisbon', locale: 'en-GB' };
const newYork = { zone: 'America/New_York', locale: 'en-US' };
const tokyo = { zone: 'Asia/Tokyo', locale: 'en-JP' };
const parseIso = (iso: string) => Date.parse(iso);

describe('Slack’s date tokens', () => {
  const moment = parseIso('2026-12-01T09:00:00Z');

  test.each([
    ['{date_num}', '2026-12-01'],
    ['{date}', 'December 1st'],
    ['{date_short}', 'Dec 1'],
    ['{date_long}', 'Tuesday, December 1st'],
    ['{date_short_pretty} at {time}', 'Dec 1 at 4:00 AM'],
    ['{time_secs}', '4:00:00 AM'],
    ['{ago}', 'in 10 days'],
    ['{never_heard_of}', '{never_heard_of}'],
  ])('%s', (format, text) => {
    expect(formatDate(moment, format, newYork, NOW).replaceAll(' ', ' ')).toBe(text);
  });

  test('a date is displayed in the time zone and the hour format of its reader', () => {
    expect(formatDate(moment, '{date_num} {time}', lisbon, NOW)).toBe('2026-12-01 9:00');
    expect(formatDate(moment, '{date_num} {time}', tokyo, NOW)).toBe('2026-12-01 18:00');
    expect(formatDate(parseIso('2026-12-01T20:00:00Z'), '{date_num}', tokyo, NOW)).toBe('2026-12-02');
  });

  test('dates near today have names, by the reader’s calendar', () => {
    const evening = parseIso('2026-11-21T01:00:00Z');
    expect(formatDate(evening, '{date_pretty}', newYork, NOW)).toBe('today');
    expect(formatDate(evening, '{date_pretty}', lisbon, NOW)).toBe('tomorrow');
    expect(formatDate(parseIso('2026-11-19T12:00:00Z'), '{date_long_pretty}', lisbon, NOW)).toBe('yesterday');
  });

  test('the year is displayed for dates more than six months away', () => {
    expect(formatDate(parseIso('2027-12-03T12:00:00Z'), '{date}', newYork, NOW)).toBe('December 3rd, 2027');
    expect(formatDate(parseIso('2027-12-11T12:00:00Z'), '{date_short}', newYork, NOW)).toBe('Dec 11, 2027');
  });
});

test('a day divider begins with a capital letter', () => {
  expect(formatDayDivider(NOW, lisbon, NOW)).toBe('Today');
  expect(formatDayDivider(parseIso('2026-11-03T12:00:00Z'), lisbon, NOW)).toBe('Tuesday 3rd November');
});

test('the time of a message is in the reader’s time zone', () => {
  expect(formatTime(NOW, tokyo)).toBe('21:00');
});

test('a time zone is named by its city', () => {
  expect(getCity('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
});

const listJumps = (now: string, reader = berlin) =>
  Object.fromEntries(
    listClockJumps(Date.parse(now), reader).map(({ key, to }) => [key, new Date(to).toISOString()]),
  );

describe('the jumps of the practice clock', () => {
  test('a jump to a day leads to 8:59 in the reader’s time zone', () => {
    expect(listJumps('2026-11-20T12:00:00Z')).toEqual({
      hour: '2026-11-20T13:00:00.000Z',
      tomorrow: '2026-11-21T07:59:00.000Z',
      monday: '2026-11-23T07:59:00.000Z',
    });
    expect(listJumps('2026-11-20T20:00:00Z', tokyo).tomorrow).toBe('2026-11-21T23:59:00.000Z');
  });

  test('today is offered only before nine, and on Sundays tomorrow replaces Monday', () => {
    expect(listJumps('2026-11-20T05:00:00Z').today).toBe('2026-11-20T07:59:00.000Z');
    expect(Object.keys(listJumps('2026-11-22T12:00:00Z'))).toEqual(['hour', 'tomorrow']);
  });

  test.each([
    ['2026-03-28T22:59:30Z', '2026-03-29T06:59:00.000Z'],
    ['2026-10-24T12:00:00Z', '2026-10-25T07:59:00.000Z'],
    ['2026-10-24T22:30:00Z', '2026-10-26T07:59:00.000Z'],
  ])('days are counted by the calendar when the clocks change: %s', (now, tomorrow) => {
    expect(listJumps(now).tomorrow).toBe(tomorrow);
  });
});
