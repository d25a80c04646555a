import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

test.each([
  ['within a month', 'last monday of the month at 9:05', '2026-11-30 09:05'],
  ['in a later month', 'first monday in 3 months at 9:05', '2027-02-01 09:05'],
  ['in a later month', "2nd tuesday in two months' time, 8:05", '2027-01-12 08:05'],
  ['within a year', 'last friday of the year 8:05', '2026-12-25 08:05'],
  ['from a day', 'the monday before 25 May at 9:05', '2027-05-24 09:05'],
  ['from a day', 'second saturday after easter 10:05', '2027-04-10 10:05'],
  ['from a day', 'the friday right before christmas, 8:05', '2026-12-18 08:05'],
  ['before a day', 'the day before halloween at 9:05', '2027-10-30 09:05'],
  ['before a day', 'two weeks prior to 1 march 8:05', '2027-02-15 08:05'],
  ['before a time', '3 hours before tomorrow midnight', '2026-11-21 21:00 | 2026-11-20 21:00'],
  ['after the next such day', 'a year after 1 december 9:05', '2027-12-01 09:05'],
  ['in weeks', 'a fortnight tomorrow at 9:05', '2026-12-05 09:05'],
  ['in weeks', 'a week on thursday 8:05', '2026-12-03 08:05'],
  ['in weeks', 'two weeks today at 12:05', '2026-12-04 12:05'],
  ['in weekdays', 'two thursdays from now at 9:05', '2026-12-03 09:05'],
  ['in weekdays', '3 tuesdays hence, 8:05', '2026-12-08 08:05'],
  ['in weekdays', 'four sundays from today 10:05', '2026-12-13 10:05'],
  ['in weeks, ambiguous', 'wednesday in two weeks 9:05', '2026-12-02 09:05 | 2026-12-09 09:05'],
  ['in weeks, ambiguous', 'in 3 weeks on monday 8:05', '2026-12-07 08:05 | 2026-12-14 08:05'],
  ['in weeks, ambiguous', 'tuesday two weeks from now 9:05', '2026-12-01 09:05 | 2026-12-08 09:05'],
  ['in days, ambiguous', 'in 3 days 20h', '2026-11-23 20:00 | 2026-11-24 07:15'],
])('a day can be counted within a period or from now: %s: %s', (_kind, text, wallTimes) => {
  expect(summarize(text)).toBe(`${wallTimes.includes('|') ? 'ambiguous' : 'understood'}: ${wallTimes}`);
});

testReadings('%s', { kind: 'understood' }, [
  ['first day of 2028 at 8:05', '2028-01-01 08:05'],
  ['beginning of next week, 10:05', '2026-11-23 10:05'],
]);

test('the end of a week is ambiguous, because it can be Friday or Sunday', () => {
  for (const text of ['end of next week 9:05', 'the end of next wk, 9:05', 'last day of next week at 9:05']) {
    expect(summarize(text)).toBe('ambiguous: 2026-11-27 09:05 | 2026-11-29 09:05');
  }
});

testReadings('a day of the month can be a number: %s', { kind: 'understood' }, [
  ['the twelfth next month 8:05', '2026-12-12 08:05'],
  ['next month the 21st at 10:05', '2026-12-21 10:05'],
]);

testReadings('a date can have a year: %s', { kind: 'understood' }, [
  ['august 8th twenty twenty-eight 9:05', '2028-08-08 09:05'],
  ['9 june two thousand and twenty nine 8:05', '2029-06-09 08:05'],
  ["10 oct '28 at 10:05", '2028-10-10 10:05'],
]);

testReadings('%s', { kind: 'understood' }, [['20270308T0805', '2027-03-08 08:05']]);

test.each([
  ['en-US', 'monday 14.12'],
  ['de', 'Mo 14.12'],
  ['fr', 'lundi 14.12'],
  ['es', 'lunes 14.12'],
  ['it', 'lunedì 14.12'],
  ['pt', 'segunda 14.12'],
  ['nl', 'maandag 14.12'],
])('numbers with a dot are a date if it is on the weekday beside it, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-12-14 09:00');
});

test('numbers with a dot are ambiguous if they can be a date or a time', () => {
  expect(summarize('17.12')).toBe('ambiguous: 2026-11-20 17:12 | 2026-12-17 09:00');
  expect(summarize('monday 10.12')).toBe('ambiguous: 2026-11-23 10:12 | 2026-12-10 09:00 | 2026-12-07 09:00');
  expect(summarize('8.45 tomorrow')).toBe('understood: 2026-11-21 08:45');
  expect(summarize('25.4. at 8.45')).toBe('understood: 2027-04-25 08:45');
  expect(summarize('23.1 at 9am')).toBe('understood: 2027-01-23 09:00');
});

describe('a day can be counted from another day', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['the sixth day of this week', '2026-11-21 09:00'],
    ['month end', '2026-11-30 09:00'],
    ['year-end 5pm', '2026-12-31 17:00'],
    ['by quarter end', '2026-12-31 09:00'],
    ['during lunch on tuesday', '2026-11-24 12:00'],
    ['first thing on 2 january', '2027-01-02 09:00'],
  ]);

  test('“last friday before noon” is refused because it has passed', () => {
    expect(summarize('last friday before noon')).toBe('not-understood: last friday');
  });
});

testReadings('if two numbers could be the year, the date is in the future: %s', { kind: 'understood' }, [
  ['26-12-15', '2026-12-15 09:00'],
  ['27-01-05 at noon', '2027-01-05 12:00'],
]);

test('a year after a holiday is counted from the next one, without a note', () => {
  expect(read('a year after christmas 9:05')).toMatchObject({ kind: 'understood', notes: [] });
});
