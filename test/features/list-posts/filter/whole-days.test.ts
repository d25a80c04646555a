import { expect, test } from 'vitest';
import { countWholeDays, shiftDays } from '../../../../src/features/list-posts/filter/post-filter.ts';
import { renderRange, understandRange } from '../../../../src/when/range.ts';

function resolveRange(text: string, zone: string, now: string) {
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
])('%s has %s whole days', (text, days) => {
  expect(countWholeDays(resolveRange(text, 'Europe/Berlin', '2026-11-20T12:00:00Z'))).toBe(days);
});

test.each(['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Asia/Tokyo'])(
  'in %s all weeks of a year follow each other without gaps, despite clock changes',
  (zone) => {
    const now = new Date('2026-01-01T12:00:00Z');
    let week = resolveRange('this week', zone, now.toISOString());
    for (let number = 0; number < 53; number += 1) {
      const nextWeek = shiftDays(week, 7);
      expect(countWholeDays(nextWeek), renderRange(nextWeek, { now })).toBe(7);
      expect(nextWeek.from?.getTime()).toBe((week.to?.getTime() ?? 0) + 1);
      expect(shiftDays(nextWeek, -7)).toEqual(week);
      week = nextWeek;
    }
  },
);
