import { describe, expect, test } from 'vitest';
import {
  nextOccurrence,
  occurrencesOf,
  type ZonedRecurrence,
} from '../../../src/when/readings/recurrences/occurrences.ts';
import { offsetAt } from '../../../src/when/zones/wall-clock.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

function daily(zone: string, hour: number, minute = 0): ZonedRecurrence {
  return { days: EVERY_DAY, time: { hour, minute }, zone };
}

function between(recurrence: ZonedRecurrence, after: string, until: string): readonly string[] {
  const occurrences = occurrencesOf(recurrence, { after: new Date(after), until: new Date(until) });
  return occurrences.map(({ date, instant }) => `${date} ${instant.toISOString().slice(0, 16)}`);
}

describe('the times at which a recurrence comes', () => {
  test('keep their clock time over a clock change', () => {
    expect(between(daily('Europe/Berlin', 9), '2027-03-27T00:00Z', '2027-03-29T00:00Z')).toEqual([
      '2027-03-27 2027-03-27T08:00',
      '2027-03-28 2027-03-28T07:00',
    ]);
  });

  test('move later where the clock skips them', () => {
    expect(between(daily('Europe/Berlin', 2, 30), '2027-03-27T12:00Z', '2027-03-29T00:00Z')).toEqual([
      '2027-03-28 2027-03-28T01:30',
    ]);
  });

  test('come once, at the first, where the clock shows them twice', () => {
    expect(between(daily('Europe/Berlin', 2, 30), '2027-10-30T12:00Z', '2027-10-31T12:00Z')).toEqual([
      '2027-10-31 2027-10-31T00:30',
    ]);
  });

  test('leave out a date that the zone skipped', () => {
    expect(between(daily('Pacific/Apia', 9), '2011-12-29T00:00Z', '2012-01-01T00:00Z')).toEqual([
      '2011-12-29 2011-12-29T19:00',
      '2011-12-31 2011-12-30T19:00',
      '2012-01-01 2011-12-31T19:00',
    ]);
  });

  test('keep the date that was meant where a gap moves them over midnight', () => {
    const around = between(daily('America/Toronto', 23, 45), '1919-03-30T12:00Z', '1919-04-01T12:00Z');
    expect(around.map((each) => each.slice(0, 10))).toEqual(['1919-03-30', '1919-03-31']);
  });

  test('leave out the instant they are counted from, and take in the last', () => {
    const nine = '2026-12-01T08:00Z';
    expect(between(daily('Europe/Berlin', 9), nine, '2026-12-02T08:00Z')).toEqual([
      '2026-12-02 2026-12-02T08:00',
    ]);
  });

  test('are on the days of the week in their own zone', () => {
    const mondays = { days: [1], time: { hour: 8, minute: 0 }, zone: 'Asia/Tokyo' };
    expect(between(mondays, '2026-11-20T00:00Z', '2026-12-01T00:00Z')).toEqual([
      '2026-11-23 2026-11-22T23:00',
      '2026-11-30 2026-11-29T23:00',
    ]);
  });
});

test('the next one is the first of all that come, and there is none without days', () => {
  const weekends = { days: [6, 7], time: { hour: 10, minute: 0 }, zone: 'Europe/Berlin' };
  expect(nextOccurrence(weekends, new Date('2026-11-20T10:15:00Z'))).toEqual({
    date: '2026-11-21',
    instant: new Date('2026-11-21T09:00:00Z'),
  });
  expect(nextOccurrence({ ...weekends, days: [] }, new Date())).toBeUndefined();
});

/** One zone for all that change their clocks alike in these two years: looked at week by week. */
function zonesThatDiffer(): readonly string[] {
  const weeks = Array.from({ length: 105 }, (_, week) => Date.UTC(2026, 0, 1 + week * 7));
  const byOffsets = new Map(
    ALL_ZONES.map((zone) => [weeks.map((week) => offsetAt(week, zone)).join(), zone] as const),
  );
  return [...byOffsets.values()];
}

test('in every zone there is one for each date of two years, each later than the one before', () => {
  const clocks = [0, 30, 2 * 60 + 30, 23 * 60 + 45];
  for (const [index, zone] of zonesThatDiffer().entries()) {
    const clock = clocks[index % clocks.length] ?? 0;
    const found = occurrencesOf(daily(zone, Math.floor(clock / 60), clock % 60), {
      after: new Date('2025-12-31T00:00Z'),
      until: new Date('2028-01-02T00:00Z'),
    }).filter(({ date }) => date.startsWith('2026') || date.startsWith('2027'));
    const isLater = found.every(({ instant }, i) => instant > (found[i - 1]?.instant ?? new Date(0)));
    const dates = new Set(found.map(({ date }) => date)).size;
    expect({ zone, dates, count: found.length, isLater }).toEqual({
      zone,
      dates: 730,
      count: 730,
      isLater: true,
    });
  }
});
