import { expect, test } from 'vitest';
import { daysLater, wholeDays } from '../../../../src/features/list-posts/filter/whole-days.ts';
import { sayRange, understandRange } from '../../../../src/when/when.ts';

function range(text: string, zone: string, now: string) {
  const reading = understandRange({ text, zone, now: new Date(now), locale: 'en-GB' });
  if (reading.kind !== 'understood') throw new Error(`"${text}" is no range`);
  return reading.range;
}

test.each([
  ['this week', 7],
  ['today', 1],
  ['november', 30],
  ['last 24 hours', undefined],
  ['since monday', undefined],
])('%s is %s whole days', (text, days) => {
  expect(wholeDays(range(text, 'Europe/Berlin', '2026-11-20T12:00:00Z'))).toBe(days);
});

test.each(['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Asia/Tokyo'])(
  'in %s every week of a year follows the one before it, and back, whatever the clocks do',
  (zone) => {
    const now = new Date('2026-01-01T12:00:00Z');
    let week = range('this week', zone, now.toISOString());
    for (let number = 0; number < 53; number += 1) {
      const next = daysLater(week, 7);
      expect(wholeDays(next), sayRange(next, { now })).toBe(7);
      expect(next.from?.getTime()).toBe((week.to?.getTime() ?? 0) + 1);
      expect(daysLater(next, -7)).toEqual(week);
      week = next;
    }
  },
);
