import { describe, expect, test } from 'vitest';
import { parseTimeShift, shiftTime } from '../../src/posts/post-time.ts';

describe('a text that says how far to move a post', () => {
  test.each([
    ['+1 day', { days: 1, minutes: 0 }],
    ['-2h', { days: 0, minutes: -120 }],
    ['by 90 min', { days: 0, minutes: 90 }],
    ['1 hour 30 min later', { days: 0, minutes: 90 }],
    ['2 weeks earlier', { days: -14, minutes: 0 }],
    ['+1h30m', { days: 0, minutes: 90 }],
  ])('“%s”', (text, shift) => {
    expect(parseTimeShift(text)).toEqual(shift);
  });

  test.each(['tomorrow 9am', '2 hours', 'in 2 hours', '+0 min', '+400 days', '+1 blorp', ''])(
    '“%s” isn’t one',
    (text) => {
      expect(parseTimeShift(text)).toBeUndefined();
    },
  );
});

describe('a moved post', () => {
  const move = (time: string, days: number, minutes: number) =>
    shiftTime(new Date(time), 'Europe/Berlin', { days, minutes }).toISOString();

  test('keeps its time on the clock if it is moved by days, also when the clock changes', () => {
    expect(move('2026-10-24T07:00:00Z', 1, 0)).toBe('2026-10-25T08:00:00.000Z');
  });

  test('is moved by exactly so many hours', () => {
    expect(move('2026-10-24T22:00:00Z', 0, 240)).toBe('2026-10-25T02:00:00.000Z');
  });

  test('is moved to after the gap if its time doesn’t exist', () => {
    expect(move('2026-03-28T01:30:00Z', 1, 0)).toBe('2026-03-29T01:30:00.000Z');
  });
});
