import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

testReadings('phrases with a single meaning are understood: %s', { kind: 'understood' }, [
  ['20th of next month 6pm', '2026-12-20 18:00'],
  ['31-Dec-26 23:59', '2026-12-31 23:59'],
  ['14.12. 12:10', '2026-12-14 12:10'],
  ['2027-03-05T15:30:00+01:00', '2027-03-05 15:30'],
  ['18 Aug 1005', '2027-08-18 10:05'],
  ['tonight at 5', '2026-11-20 17:00'],
  ['please post it tomorrow at 9am sharp', '2026-11-21 09:00'],
]);

describe('times counted from another time are understood', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['2h30m', '2026-11-20 13:45'],
    ['in a fortnight, 9am', '2026-12-04 09:00'],
  ]);

  test('a number of days keeps the time of day, with a note', () => {
    expect(read('in 3 days')).toMatchObject({ notes: ['No time given: the same time as now.'] });
    expect(summarize('in 3 days')).toBe('understood: 2026-11-23 11:15');
  });
});

describe('missing parts are assumed, with a note', () => {
  test('a date without a time is at 09:00', () => {
    expect(summarize('1 dec')).toBe('understood: 2026-12-01 09:00');
    expect(read('1 dec')).toMatchObject({ notes: ['No time given: 09:00.'] });
  });

  test('after 09:00, today without a time is the next full hour', () => {
    expect(summarize('today')).toBe('understood: 2026-11-20 12:00');
    expect(read('today')).toMatchObject({ notes: ['No time given: 12:00.'] });
  });

  test('a time without a date is tomorrow if it has passed today', () => {
    expect(summarize('9am')).toBe('understood: 2026-11-21 09:00');
    expect(read('9am')).toMatchObject({ notes: ['09:00 has passed, so tomorrow.'] });
  });

  test('a date without a year is in the future', () => {
    expect(summarize('5 march 8am')).toBe('understood: 2027-03-05 08:00');
    expect(summarize('29 feb 8am')).toBe('understood: 2028-02-29 08:00');
  });
});

describe('ambiguous phrases list the likeliest time first', () => {
  testReadings('%s', { kind: 'ambiguous' }, [
    ['tomorrow at 7', '2026-11-21 07:00 | 2026-11-21 19:00'],
    ['Tue 2 Dec 8am', '2026-12-02 08:00 | 2026-12-01 08:00'],
    ['sunday midnight', '2026-11-23 00:00 | 2026-11-22 00:00'],
    ['saturday after next 8am', '2026-11-28 08:00 | 2026-12-05 08:00'],
    ['tomorrow morning at 10:15 pm', '2026-11-21 22:15 | 2026-11-21 10:15'],
    ['tomorrow evening 9am', '2026-11-21 09:00 | 2026-11-21 21:00'],
  ]);

  test('03/04 is in the order of the reader’s region, unless a weekday fits the other', () => {
    expect(summarize('03/04 8am')).toBe('understood: 2027-03-04 08:00');
    expect(summarize('03/04 8am', { locale: 'en-GB' })).toBe('understood: 2027-04-03 08:00');
    expect(summarize('thu 03/04/2027 8am', { locale: 'en-GB' })).toBe('understood: 2027-03-04 08:00');
    expect(summarize('sat 03/04/2027 8am')).toBe('understood: 2027-04-03 08:00');
    expect(summarize('fri 11/12 8am', { locale: 'en-GB' })).toBe('understood: 2026-12-11 08:00');
    expect(read('fri 11/12 8am').kind).toBe('ambiguous');
    expect(summarize('11-12 10am')).toBe('understood: 2027-11-12 10:00');
    expect(summarize('10am on 11-12', { locale: 'en-GB' })).toBe('understood: 2026-12-11 10:00');
  });

  test('a number beside a time is the day of the month', () => {
    expect(summarize('9am on 22')).toBe('understood: 2026-11-22 09:00');
    expect(summarize('25 at 8:00')).toBe('understood: 2026-11-25 08:00');
    expect(summarize('25, 8pm')).toBe('understood: 2026-11-25 20:00');
    expect(read('on 3 channels at 9am').kind).toBe('not-understood');
  });

  test('25/12 and 12/25 are the same day everywhere', () => {
    for (const locale of ['en-US', 'en-GB']) {
      expect(summarize('25/12 8am', { locale })).toBe('understood: 2026-12-25 08:00');
      expect(summarize('12/25 8am', { locale })).toBe('understood: 2026-12-25 08:00');
    }
  });

  test('“next tuesday” isn’t ambiguous if Tuesday of this week has passed', () => {
    expect(summarize('next tuesday 8am')).toBe('understood: 2026-11-24 08:00');
  });
});

describe('past times are refused with a suggestion', () => {
  testReadings('%s', { kind: 'past' }, [
    ['friday this week 9am', '2026-11-20 09:00 → 2026-11-21 09:00'],
    ['1 Jan 2025 10:00', '2025-01-01 10:00'],
  ]);

  test.each([
    ['Monatsende 9 Uhr', '2026-11-30T12:00:00Z', '2026-11-30 09:00'],
    ['this weekend 9am', '2026-11-29T12:00:00Z', '2026-11-29 09:00'],
  ])('no day outside the named week or month is suggested: %s', (text, instant, wallTime) => {
    expect(summarize(text, { now: new Date(instant) })).toBe(`past: ${wallTime}`);
  });
});
