import { describe, expect, test } from 'vitest';
import { HOLIDAYS } from '../../src/when/grammar/english/holidays.ts';
import { easterSunday } from '../../src/when/grammar/feasts.ts';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

describe('holidays are known by their names', () => {
  test('each name is found', () => {
    const names = HOLIDAYS.flatMap(([each]) => each.split('|'));
    const isUnknown = (name: string) => read(name).kind === 'not-understood';
    // Darwin is also a place with a zone.
    expect(names.filter(isUnknown)).toEqual(['darwin day']);
    expect(['x-mas 9am', 'next x-mas'].filter(isUnknown)).toEqual([]);
  });

  testReadings('a holiday with a fixed date is understood: %s', { kind: 'understood' }, [
    ['xmas day at 10:30', '2026-12-25 10:30'],
    ["int'l women's day 9am", '2027-03-08 09:00'],
    ["new year's day at noon", '2027-01-01 12:00'],
    ["post it on saint patrick's day at 9:15", '2027-03-17 09:15'],
    ["valentine's, 7:20pm", '2027-02-14 19:20'],
    ['boxing day 2027 8am', '2027-12-26 08:00'],
    ['independence day at 8:05am', '2027-07-04 08:05'],
    ["all souls' day 10:20", '2027-11-02 10:20'],
  ]);

  testReadings('a holiday on a weekday of a month is understood: %s', { kind: 'understood' }, [
    ['cyber monday at 7:30am', '2026-11-30 07:30'],
    ['election day at 7:05', '2027-11-02 07:05'],
    ["presidents' day 8:10", '2027-02-15 08:10'],
    ['mother day 10:05', '2027-05-09 10:05'],
    ['victoria day 9:50', '2027-05-24 09:50'],
  ]);

  testReadings('a holiday counted from Easter is understood: %s', { kind: 'understood' }, [
    ['shrove tuesday at 7:10', '2027-02-09 07:10'],
    ['whit monday 10:25', '2027-05-17 10:25'],
    ['orthodox easter 10:25', '2027-05-02 10:25'],
    ['orthodox good friday 2028', '2028-04-14 09:00'],
  ]);

  test('a holiday of another year is understood', () => {
    expect(summarize('christmas 2027 9:05')).toBe('understood: 2027-12-25 09:05');
    expect(summarize('labor day of next year, 9:05')).toBe('understood: 2027-09-06 09:05');
  });

  test('a holiday’s name that can mean two days is ambiguous', () => {
    expect(summarize('next christmas eve 9:10')).toBe('ambiguous: 2026-12-24 09:10 | 2027-12-24 09:10');
    expect(summarize("mother's day eve", { locale: 'en-GB' })).toBe(
      'ambiguous: 2027-03-06 09:00 | 2027-05-08 09:00',
    );
    expect(summarize('new years at 9:10pm')).toBe('ambiguous: 2027-01-01 21:10 | 2026-12-31 21:10');
  });

  test('on the holiday itself, today is meant, and nothing is said to have passed', () => {
    const onNewYear = { now: new Date('2027-01-01T07:15:00Z') };
    expect(summarize('new years 9am', onNewYear)).toBe(
      'ambiguous: 2027-01-01 09:00 | 2027-12-31 09:00 | 2028-01-01 09:00',
    );
    expect(read('new years 9am', onNewYear)).toMatchObject({ notes: [] });
    expect(summarize('new years 7am', onNewYear)).toBe('ambiguous: 2027-12-31 07:00 | 2028-01-01 07:00');
  });

  test('of two days of the same name, the one that is months nearer comes first', () => {
    const inApril = { now: new Date('2026-04-20T10:00:00Z'), locale: 'en-GB' };
    expect(summarize('mothers day 9am', inApril)).toBe('ambiguous: 2026-05-10 09:00 | 2027-03-07 09:00');
    expect(read('mothers day 9am', inApril)).toMatchObject({ notes: [] });
  });

  test('a holiday of the United States isn’t understood with a British locale', () => {
    expect(summarize('independence day 9:10', { locale: 'en-GB' })).toBe('not-understood: independence day');
  });
});

test('Easter Sunday is the date in the tables of the churches', () => {
  const dates = [2024, 2025, 2026, 2027, 2038, 2076].map((year) => easterSunday(year).toISODate());
  expect(dates).toEqual(['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25', '2076-04-19']);
});

describe('holidays of other calendars are known', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['nowruz 8:10', '2027-03-21 08:10'],
    ['persian new year', '2027-03-21 09:00'],
    ['next nowruz at noon', '2027-03-21 12:00'],
  ]);

  // The dates are from hebcal.com. Jewish holidays begin on the evening before.
  testReadings('“%s” is ambiguous, because the holiday begins on the evening before', { kind: 'ambiguous' }, [
    ['first day of hanukkah', '2026-12-05 09:00 | 2026-12-04 09:00'],
    ['purim 2028', '2028-03-12 09:00 | 2028-03-11 09:00'],
    ['passover at 7:20pm', '2027-04-22 19:20 | 2027-04-21 19:20'],
    ['rosh hashanah', '2027-10-02 09:00 | 2027-10-01 09:00'],
    ['yom kippur 2027', '2027-10-11 09:00 | 2027-10-10 09:00'],
  ]);

  // The dates are from the Umm al-Qura calendar. In other regions, the holiday may be a day later.
  testReadings('“%s” is ambiguous, because the holiday may be a day later', { kind: 'ambiguous' }, [
    ['eid al-fitr 9am', '2027-03-09 09:00 | 2027-03-10 09:00'],
    ['eid ul-adha 2027', '2027-05-16 09:00 | 2027-05-17 09:00'],
    ['eid at noon', '2027-03-09 12:00 | 2027-03-10 12:00'],
    ['first day of ramadan 8:10', '2027-02-08 08:10 | 2027-02-09 08:10'],
  ]);

  testReadings('“%s” is the date in almanacs', { kind: 'understood' }, [
    ['chinese new year 2030', '2030-02-03 09:00'],
    ['the day after the mid-autumn festival, 7pm', '2027-09-16 19:00'],
    ['next diwali 2028 9:10', '2028-10-17 09:10'],
    ['ganesh chaturthi noon', '2027-09-04 12:00'],
  ]);

  test('on the second day of a two-day holiday, its name means today', () => {
    const now = new Date('2027-03-10T10:00:00Z');
    expect(summarize('eid al-fitr 5pm', { now })).toBe('understood: 2027-03-10 17:00');
  });

  test('a fast on a Sabbath is moved to the next day, and the second Ramadan of a year is known', () => {
    expect(summarize("tisha b'av 2029")).toBe('ambiguous: 2029-07-22 09:00 | 2029-07-21 09:00');
    expect(summarize("tisha b'av eve 2029")).toContain('2029-07-21 09:00');
    const now = new Date('2030-03-10T10:00:00Z');
    expect(summarize('ramadan 2030', { now })).toBe('ambiguous: 2030-12-26 09:00 | 2030-12-27 09:00');
  });

  test.each([
    ['diwali sale friday 9am', 'understood: 2026-11-27 09:00'],
    ['eid menu tomorrow 9am', 'understood: 2026-11-21 09:00'],
    ['lunch at Pongal House tomorrow 1pm', 'understood: 2026-11-21 13:00'],
    ['meet Holi at 3pm', 'not-understood: Holi'],
  ])('a holiday’s name in a title isn’t a date: %s', (text, expectedText) => {
    const isUnderstood = expectedText.startsWith('understood: ');
    expect(summarize(text)).toContain(isUnderstood ? expectedText : 'not-understood');
  });

  test('a holiday with two days is ambiguous, and a holiday in an unlisted year is refused', () => {
    expect(summarize('diwali 9am')).toBe('ambiguous: 2027-10-29 09:00 | 2027-10-28 09:00');
    expect(summarize('lunar new year 9am')).toBe('ambiguous: 2027-02-06 09:00 | 2027-02-07 09:00');
    expect(summarize('diwali 2041 9am')).toMatch(/^not-understood/);
    expect(summarize('end of ramadan 9am')).toMatch(/^not-understood/);
  });
});

testReadings('a season is ambiguous: %s', { kind: 'ambiguous' }, [
  ['winter of 2027', '2027-12-21 09:00 | 2027-12-01 09:00'],
  ['in autumn', '2027-09-22 09:00 | 2027-09-01 09:00'],
]);
