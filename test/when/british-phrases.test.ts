import { describe, expect, test } from 'vitest';
import { read, summarize } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.
const summarizeBritish = (text: string): string => summarize(text, { locale: 'en-GB' });

test.each([
  ['tuesday week 9am', '2026-12-01 09:00'],
  ['today week afternoon at 3', '2026-11-27 15:00'],
  ['wednesday week after lunch', '2026-12-02 13:00'],
  ['tuesday but one', '2026-12-01 09:00'],
  ['wednesday but one at noon', '2026-12-02 12:00'],
  ['next monday but one', '2026-11-30 09:00'],
  ['next month on the same day', '2026-12-20 09:00'],
  ['next year, the same day', '2027-11-20 09:00'],
  ['the tuesday after next monday', '2026-11-24 09:00'],
])('weeks and fortnights can be counted from a day: %s', (text, wallTime) => {
  expect(summarizeBritish(text)).toBe(`understood: ${wallTime}`);
});

describe('“week of” means the Monday of a week', () => {
  test.each([
    ['the week commencing 7 december', '2026-12-07 09:00'],
    ['week of 7 december, thursday at noon', '2026-12-10 12:00'],
    ['tuesday 9am, week of 9 december', '2026-12-08 09:00'],
    ['w/c monday 9am', '2026-11-23 09:00'],
    ['week of monday 7 december, friday 9am', '2026-12-11 09:00'],
  ])('%s', (text, wallTime) => {
    expect(summarizeBritish(text)).toBe(`understood: ${wallTime}`);
  });

  test('on a Sunday, “week of” the Monday before is still that week', () => {
    const onSunday = { now: new Date('2026-11-22T10:00:00Z'), locale: 'en-GB' };
    expect(summarize('week of 16 november, sunday 9pm', onSunday)).toContain('2026-11-22 21:00');
  });

  test('“week of” with a Monday is the current week only until that Monday is over', () => {
    const onMonday = { now: new Date('2026-11-23T07:00:00Z'), locale: 'en-GB' };
    expect(summarize('w/c monday 9am', onMonday)).toBe('ambiguous: 2026-11-23 09:00 | 2026-11-30 09:00');
    expect(summarize('w/c monday 7am', onMonday)).toBe('understood: 2026-11-30 07:00');
  });

  test('“week of” with a Sunday can be the week that begins on it', () => {
    const onFriday = { now: new Date('2026-11-27T10:00:00Z'), locale: 'en-US' };
    expect(summarize('week of 29 november 9am', onFriday)).toBe(
      'ambiguous: 2026-11-29 09:00 | 2026-11-30 09:00',
    );
  });

  test('the weekday of “week of” is the date’s own, so a wrong one is noted', () => {
    expect(read('week of monday 8 december 9am', { locale: 'en-GB' })).toMatchObject({
      kind: 'ambiguous',
      notes: ['8 Dec 2026 is a Tuesday.'],
    });
  });

  test.each(['friday next week, week of 14 december', 'next friday, week of 14 december'])(
    'the day of another week isn’t in it: %s',
    (text) => {
      expect(read(text, { locale: 'en-GB' }).kind).toBe('not-understood');
    },
  );

  test('“week of” with another weekday is ambiguous', () => {
    expect(summarizeBritish('week of 16 december')).toBe('ambiguous: 2026-12-14 09:00 | 2026-12-16 09:00');
    expect(summarizeBritish('week of friday 11 december')).toBe(
      'ambiguous: 2026-12-07 09:00 | 2026-12-11 09:00',
    );
  });

  test('a week may begin on the Sunday before', () => {
    expect(summarizeBritish('week of 6 dec, tuesday')).toBe('ambiguous: 2026-12-01 09:00 | 2026-12-08 09:00');
    expect(summarizeBritish('week of 16 november, tuesday')).toBe('past: 2026-11-17 09:00');
  });

  test('“week” in a title isn’t a date', () => {
    expect(summarizeBritish('fashion week tomorrow 9am')).toBe('not-understood: fashion week');
  });
});

describe('bank holidays are the holidays of England and Wales', () => {
  test.each([
    // Boxing Day is a Saturday in 2026, so the following Monday is the bank holiday.
    ['bank holiday monday 10am', '2026-12-28 10:00'],
    ['may bank holiday', '2027-05-03 09:00'],
    ['mayday', '2027-05-01 09:00'],
  ])('%s', (text, wallTime) => {
    expect(summarizeBritish(text)).toBe(`understood: ${wallTime}`);
  });

  test('the bank holiday of Easter is ambiguous', () => {
    expect(summarizeBritish('easter bank holiday')).toBe('ambiguous: 2027-03-26 09:00 | 2027-03-29 09:00');
  });

  test('bank holidays aren’t understood with a US locale', () => {
    expect(summarize('bank holiday', { locale: 'en-US' })).toBe('not-understood: bank holiday');
  });
});

describe('the day is before the month', () => {
  test.each([
    ['25.12.2026 at 10.30', '2026-12-25 10:30'],
    ['0900 7 dec', '2026-12-07 09:00'],
  ])('%s', (text, wallTime) => {
    expect(summarizeBritish(text)).toBe(`understood: ${wallTime}`);
  });

  test('“half eight” means half past eight', () => {
    expect(summarizeBritish('tue at half eight in the morning')).toBe('understood: 2026-11-24 08:30');
  });
});
