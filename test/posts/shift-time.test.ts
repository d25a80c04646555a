import { describe, expect, test } from 'vitest';
import { shiftTime } from '../../src/posts/post-time.ts';

describe('a moved post', () => {
  const move = (time: string, days: number, minutes: number, months = 0) =>
    shiftTime(new Date(time), 'Europe/Berlin', { months, days, minutes }).toISOString();

  test('keeps its time on the clock if it is moved by days, also when the clock changes', () => {
    expect(move('2026-10-24T07:00:00Z', 1, 0)).toBe('2026-10-25T08:00:00.000Z');
  });

  test('is moved by exactly so many hours', () => {
    expect(move('2026-10-24T22:00:00Z', 0, 240)).toBe('2026-10-25T02:00:00.000Z');
  });

  test('stays in the month that is meant, though it is shorter', () => {
    expect(move('2027-01-31T08:00:00Z', 0, 0, 1)).toBe('2027-02-28T08:00:00.000Z');
    expect(move('2027-03-28T07:00:00Z', 0, 0, -1)).toBe('2027-02-28T08:00:00.000Z');
  });

  test('is moved to after the gap if its time doesn’t exist', () => {
    expect(move('2026-03-28T01:30:00Z', 1, 0)).toBe('2026-03-29T01:30:00.000Z');
  });
});
