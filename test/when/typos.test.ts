import { describe, expect, test } from 'vitest';
import { brief } from './read.ts';

describe('one letter off in a weekday, a month or a word for a day', () => {
  test.each([
    ['tusday 9:15am', '2026-11-24 09:15'],
    ['wendesday at 10:20', '2026-11-25 10:20'],
    ['thursdday 8:35am', '2026-11-26 08:35'],
    ['3 janaury 9:45', '2027-01-03 09:45'],
    ['septmber 5th at 9:05', '2027-09-05 09:05'],
    ['24 decembet 7:10pm', '2026-12-24 19:10'],
    ['tomorroe at 9:25', '2026-11-21 09:25'],
    ['tonigt at 9:35', '2026-11-20 21:35'],
    ['tuesday aftrenoon at 4:40', '2026-11-24 16:40'],
  ])('%s', (text, wall) => {
    expect(brief(text)).toBe(`understood: ${wall}`);
  });
});

describe('is left alone where it', () => {
  test.each([
    ['is itself a word', 'toady 9:15am', 'toady'],
    ['is itself a name', 'frida 9:15am', 'frida'],
    ['is a grocery', 'sundae 9:15am', 'sundae'],
    ['could be either of two', 'munday 9:15am', 'munday'],
    ['is two letters off', 'wnsdy 9:15am', 'wnsdy'],
  ])('%s: %s', (_why, text, words) => {
    expect(brief(text)).toBe(`not-understood: ${words}`);
  });

  test('is many of them, which repeat', () => {
    expect(brief('thursdays 9:15am')).toBe('not-understood: thursdays');
  });
});

describe('shorter units of time are put right beside a number', () => {
  test.each([
    ['in 4 dyas', '2026-11-24 11:15'],
    ['in 2 yeras', '2028-11-20 11:15'],
    ['2 wweeks from now', '2026-12-04 11:15'],
    ['three hors from now', '2026-11-20 14:15'],
  ])('%s', (text, wall) => {
    expect(brief(text)).toBe(`understood: ${wall}`);
  });

  test('and after "next", where the week is asked about as ever', () => {
    expect(brief('next wek')).toBe(brief('next week'));
    expect(brief('next mnoth')).toBe(brief('next month'));
    expect(brief('nxt yr')).toBe(brief('next year'));
  });

  test.each(['2 ways', '2 dads', '4 mouths', '12 hams'])('and other words are none: %s', (text) => {
    expect(brief(text)).toBe(`not-understood: ${text}`);
  });
});
