import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

testReadings('rare formats of a time are understood: %s', { kind: 'understood' }, [
  ['mon 7 dec 730a', '2026-12-07 07:30'],
  ['at 8 hours on tuesday', '2026-11-24 08:00'],
  ['tue 24:00', '2026-11-25 00:00'],
  ['2400 hours tomorrow', '2026-11-22 00:00'],
  ['2009', '2026-11-20 20:09'],
  ['1930', '2026-11-20 19:30'],
  ['1950.', '2026-11-20 19:50'],
  ['12 midday on tuesday', '2026-11-24 12:00'],
  ["twelve o'clock midnight", '2026-11-21 00:00'],
  ['a minute before midnight tomorrow', '2026-11-21 23:59'],
  ['end of work day tuesday', '2026-11-24 17:00'],
  ['the end of the work day tomorrow', '2026-11-21 17:00'],
  ['anytime tuesday', '2026-11-24 09:00'],
]);

testReadings('a time with “hours” could be a duration, so it is ambiguous: %s', { kind: 'ambiguous' }, [
  ['700h', '2026-11-21 07:00 | 2026-12-19 15:15'],
  ['545 hours', '2026-11-21 05:45 | 2026-12-13 04:15'],
  ['830 hrs', '2026-11-21 08:30 | 2026-12-25 01:15'],
]);

test('a time with an impossible hour or minute is refused', () => {
  for (const text of ['24:30', '25:00', '1975', '9-10pm', '8-12am', '20 75'])
    expect([text, read(text).kind]).toEqual([text, 'not-understood']);
});

describe('a greeting isn’t a part of the day', () => {
  test.each(['good evening', 'good afternoon'])('%s', (text) => {
    expect(read(text).kind).toBe('not-understood');
  });

  test('a greeting can be followed by a date and time', () => {
    expect(summarize('good morning, tuesday 8am please')).toBe('understood: 2026-11-24 08:00');
  });
});
