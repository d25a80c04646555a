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

test('the week of a weekday is no time: w/c monday 9am', () => {
  expect(read('w/c monday 9am', { locale: 'en-GB' }).kind).toBe('not-understood');
});

test.each([
  ['tues w/c 7 dec 9am', 'understood: 2026-12-08 09:00'],
  ['w/c 7 december, friday noon', 'understood: 2026-12-11 12:00'],
  ['thursday week of dec 6th 4pm', 'understood: 2026-12-10 16:00'],
  ['the week commencing 7 december', 'ambiguous: 2026-12-07 09:00 | 2026-12-11 09:00'],
])('the week of a date has its weekdays: %s', (text, expected) => {
  expect(summarizeBritish(text)).toBe(expected);
});

test('“week” in a title isn’t a date', () => {
  expect(summarizeBritish('fashion week tomorrow 9am')).toBe('not-understood: fashion week');
});

describe('bank holidays are the holidays of England and Wales', () => {
  test.each([
    // Boxing Day is a Saturday in 2026, so the following Monday is the bank holiday.
    ['bank holiday monday 10am', '2026-12-28 10:00'],
    ['mayday', '2027-05-01 09:00'],
  ])('%s', (text, wallTime) => {
    expect(summarizeBritish(text)).toBe(`understood: ${wallTime}`);
  });

  test('the bank holidays of Easter and of May are ambiguous', () => {
    expect(summarizeBritish('may bank holiday')).toBe('ambiguous: 2027-05-03 09:00 | 2027-05-31 09:00');
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
