import { describe, expect, test } from 'vitest';
import { summarize, testReadings } from './read.ts';

testReadings('a typo of one letter is corrected: %s', { kind: 'understood' }, [
  ['wendesday at 10:20', '2026-11-25 10:20'],
  ['thursdday 8:35am', '2026-11-26 08:35'],
  ['3 janaury 9:45', '2027-01-03 09:45'],
  ['septmber 5th at 9:05', '2027-09-05 09:05'],
  ['24 decembet 7:10pm', '2026-12-24 19:10'],
  ['tomorroe at 9:25', '2026-11-21 09:25'],
  ['tonigt at 9:35', '2026-11-20 21:35'],
  ['tuesday aftrenoon at 4:40', '2026-11-24 16:40'],
]);

describe('a word isn’t corrected if it', () => {
  test.each([
    ['is itself a word', 'toady 9:15am', 'toady'],
    ['is itself a name', 'frida 9:15am', 'frida'],
    ['is a food', 'sundae 9:15am', 'sundae'],
    ['could be one of two words', 'munday 9:15am', 'munday'],
    ['is two letters off', 'wnsdy 9:15am', 'wnsdy'],
  ])('%s: %s', (_reason, text, unparsedText) => {
    expect(summarize(text)).toBe(`not-understood: ${unparsedText}`);
  });

  test('a plural weekday isn’t corrected, because it is a recurrence', () => {
    expect(summarize('thursdays 9:15am')).toBe('not-understood: thursdays');
  });
});

describe('a typo in a short unit of time is corrected after a number', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['in 4 dyas', '2026-11-24 11:15'],
    ['in 2 yeras', '2028-11-20 11:15'],
    ['2 wweeks from now', '2026-12-04 11:15'],
    ['three hors from now', '2026-11-20 14:15'],
  ]);

  test('a typo in a unit of time is corrected after “next”', () => {
    expect(summarize('next wek')).toBe(summarize('next week'));
    expect(summarize('next mnoth')).toBe(summarize('next month'));
    expect(summarize('nxt yr')).toBe(summarize('next year'));
  });

  test.each(['2 ways', '2 dads', '4 mouths', '12 hams'])(
    'other words aren’t corrected to units of time: %s',
    (text) => {
      expect(summarize(text)).toBe(`not-understood: ${text}`);
    },
  );
});
