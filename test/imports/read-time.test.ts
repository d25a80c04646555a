import { describe, expect, test } from 'vitest';
import { joinDateAndClock, readTime, type TimeSettings } from '../../src/imports/read-time.ts';
import { findDateOrder } from '../../src/when/when.ts';

const NOW = new Date('2026-11-20T10:15:00Z');

const read = (text: string, settings: Partial<TimeSettings> = {}) => {
  const reading = readTime(text, { zone: 'Europe/Berlin', now: NOW, ...settings });
  if (reading.kind === 'moment') return `${reading.instant.toISOString()} ${reading.zone}`;
  return reading.kind === 'problem' ? reading.problem : reading.kind;
};

describe('a time is read in its zone', () => {
  test.each([
    ['2026-12-01 09:00', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['2026-12-01T09:00:30', '2026-12-01T08:00:30.000Z Europe/Berlin'],
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00:00 -05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01T09:00-05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00 -0500', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00 -05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026/12/01 9:00 PM', '2026-12-01T20:00:00.000Z Europe/Berlin'],
    ['2026-12-01, 12 am', '2026-11-30T23:00:00.000Z Europe/Berlin'],
    ['31.12.2026 18:30', '2026-12-31T17:30:00.000Z Europe/Berlin'],
    ['1.12.26 9:00', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['12/31/2026 18:30', '2026-12-31T17:30:00.000Z Europe/Berlin'],
    ['46357.375', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['46357,375', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['tomorrow 9am', '2026-11-21T08:00:00.000Z Europe/Berlin'],
    ['1 Dec 2026 at 9am London time', '2026-12-01T09:00:00.000Z Europe/London'],
    ['Dienstag, 1. Dezember 2026, 9 Uhr', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['Tue 12/15/2026 9am', '2026-12-15T08:00:00.000Z Europe/Berlin'],
  ])('%s', (text, expected) => {
    expect(read(text, { locale: 'en-US' })).toBe(expected);
  });

  test('03/04/2027 is asked, and then read in the order of the file', () => {
    expect(read('03/04/2027 9:00')).toBe('order');
    expect(read('03/04/2027 9:00', { order: 'day-first' })).toBe('2027-04-03T07:00:00.000Z Europe/Berlin');
    expect(read('03/04/2027 9:00', { order: 'month-first' })).toBe('2027-03-04T08:00:00.000Z Europe/Berlin');
    expect(read('03/03/2027 9:00')).toBe('2027-03-03T08:00:00.000Z Europe/Berlin');
    expect(read('Sat 3/4 9:00')).toBe('order');
    expect(read('Sat 3/4 9:00', { order: 'day-first', locale: 'en-US' })).toBe(
      '2027-04-03T07:00:00.000Z Europe/Berlin',
    );
  });

  test.each([
    ['2026-02-31 09:00', '2026-02-31 doesn’t exist. Write it like 2026-12-01 09:00.'],
    ['2026-11-19 09:00', '“2026-11-19 09:00” has passed. Write a later time.'],
    ['2027-10-31 02:30', 'The clock shows “2027-10-31 02:30” twice. Add UTC+02:00 or UTC+01:00 to it.'],
    ['soonish', 'I don’t understand “soonish”. Write it like 2026-12-01 09:00.'],
    [
      'every monday 9am',
      '“every monday 9am”: That repeats. Pick one date, such as the first. Write it like 2026-12-01 09:00.',
    ],
    [
      'mon and tue 9am',
      '“mon and tue 9am”: That’s more than one time. Pick one. Write it like 2026-12-01 09:00.',
    ],
    [
      '2026-12-01 09:00-10:00',
      '“2026-12-01 09:00-10:00”: That’s a range. Pick one time. Write it like 2026-12-01 09:00.',
    ],
    ['5 Nov 9:00', '“5 Nov 9:00” has passed this year. Write a later time, or its year too.'],
    ['13/11 9:00', '“13/11 9:00” has passed this year. Write a later time, or its year too.'],
    ['18:30', '“18:30” has no date. Write it like 2026-12-01 09:00.'],
    ['6 pm', '“6 pm” has no date. Write it like 2026-12-01 09:00.'],
    ['18 Uhr', '“18 Uhr” has no date. Write it like 2026-12-01 09:00.'],
    ['yesterday', '“yesterday” has passed. Write a later time.'],
  ])('%s is a problem', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('in January, a day of December is this year’s', () => {
    const now = new Date('2027-01-15T10:00:00Z');
    expect(read('1 Dec 9:00', { now })).toBe('2027-12-01T08:00:00.000Z Europe/Berlin');
    expect(read('Christmas 9:00', { now })).toBe('2027-12-25T08:00:00.000Z Europe/Berlin');
    expect(read('5 Jan 9:00', { now })).toContain('has passed this year');
  });

  test('a time that the clock shows twice is understood with its offset', () => {
    expect(read('2027-10-31 02:30 UTC+02:00')).toContain('2027-10-31T00:30:00.000Z');
    expect(read('2027-10-31 02:30:00 +01:00')).toContain('2027-10-31T01:30:00.000Z');
  });
});

test('a date and a time of day in two columns are joined', () => {
  expect(joinDateAndClock('2026-12-01', '9:00')).toBe('2026-12-01 9:00');
  expect(joinDateAndClock('2026-12-01 00:00:00', '9:00')).toBe('2026-12-01 9:00');
  expect(joinDateAndClock('12/1/2026 0:00', '9:00')).toBe('12/1/2026 9:00');
  expect(joinDateAndClock('12/1/2026 12:00:00 AM', '12/30/1899 9:00:00 AM')).toBe('12/1/2026 9:00:00 AM');
  expect(joinDateAndClock('2026-12-01', '1899-12-31T09:00:00')).toBe('2026-12-01 09:00:00');
  expect(joinDateAndClock('2026-12-01', '1899-12-30T09:00:00.000Z')).toBe('1899-12-30T09:00:00.000Z');
  expect(joinDateAndClock('46357', '0.375')).toBe('2026-12-01 09:00:00');
  expect(joinDateAndClock('46357', '')).toBe('2026-12-01');
  expect(joinDateAndClock('', '')).toBe('');
});

test('the order of day and month is found in the other dates of the file', () => {
  expect(findDateOrder(['03/04/2027', '13/04/2027'])).toBe('day-first');
  expect(findDateOrder(['03/04/2027', '04/13/2027'])).toBe('month-first');
  expect(findDateOrder(['03/04/2027', '03/03/2027'])).toBe('unsure');
  expect(findDateOrder(['03/04/2027', '13/04/2027', '04/13/2027'])).toBe('unsure');
  expect(findDateOrder(['3/4 9:00', '13/4'])).toBe('day-first');
  expect(findDateOrder(['10:00/15:00'])).toBeUndefined();
  expect(findDateOrder(['3.4.2027', '2027-04-03', 'tomorrow'])).toBeUndefined();
});
