import { describe, expect, test } from 'vitest';
import { understandShift } from '../../../src/when/when.ts';
import { listPhrases } from '../read.ts';

const read = (text: string, locale = 'en-US', mayBeBare = false) => {
  const now = new Date('2026-11-20T10:15:00Z');
  const shift = understandShift({ text, now, zone: 'Europe/Berlin', locale, mayBeBare });
  return shift && [shift.months, shift.days, shift.minutes];
};

describe('how far something is moved', () => {
  test.each([
    ['+1 day', 0, 1, 0],
    ['- 2h', 0, 0, -120],
    ['by 90 min', 0, 0, 90],
    ['by 2h', 0, 0, 120],
    ['de 2 heures plus tard', 0, 0, 120],
    ['1 hour 30 min later', 0, 0, 90],
    ['a week later', 0, 7, 0],
    ['half an hour later', 0, 0, 30],
    ['a year earlier', -12, 0, 0],
    ['eine Woche später', 0, 7, 0],
    ['einen Tag früher', 0, -1, 0],
    ['um 2 Stunden nach hinten', 0, 0, 120],
    ['une semaine plus tard', 0, 7, 0],
    ['2h30 plus tôt', 0, 0, -150],
    ['dos días antes', 0, -2, 0],
    ['uma semana depois', 0, 7, 0],
    ['mezz’ora prima', 0, 0, -30],
    ['een uur eerder', 0, 0, -60],
    ['1週間遅らせる', 0, 7, 0],
    ['2時間早める', 0, 0, -120],
  ])('“%s”', (text, months, days, minutes) => {
    for (const locale of ['en-US', 'de-DE', 'ja-JP'])
      expect(read(text, locale)).toEqual([months, days, minutes]);
  });

  test.each(['de 2 días', '1週間後'])('“%s” without a direction only where it may be', (text) => {
    expect(read(text)).toBeUndefined();
    expect(read(text, 'en-US', true)).toBeDefined();
  });

  test.each([
    ...listPhrases(`
    tomorrow 9am | friday | 9:30 | 10 | +0 min | +370 days | +1 blorp | um 2h | um 9h30 | by 9h30
    by friday | a week later at 9am | friday a week later | the week before | 2 days back | by 2 days back
    2 hours off | coffee in a week earlier
  `),
    '',
    'x'.repeat(300),
  ])('“%s” isn’t one', (text) => {
    expect(read(text)).toBeUndefined();
    expect(read(text, 'de-DE')).toBeUndefined();
    expect(read(text, 'en-US', !/^(?:um|by) \d/.test(text))).toBeUndefined();
  });
});
