import { describe, expect, test } from 'vitest';
import {
  nextOccurrence,
  occurrencesOf,
  type ZonedRecurrence,
} from '../../../src/when/readings/recurrences/recurrence.ts';
import { offsetAt } from '../../../src/when/zones/wall-clock.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

function createDailyRecurrence(zone: string, hour: number, minute = 0): ZonedRecurrence {
  return createWeeklyRecurrence(EVERY_DAY, { hour, minute }, zone);
}

function createWeeklyRecurrence(
  weekdays: readonly number[],
  time: { hour: number; minute: number },
  zone: string,
): ZonedRecurrence {
  return { on: { unit: 'week', weekdays }, interval: 1, times: [time], zone };
}

function listOccurrences(recurrence: ZonedRecurrence, after: string, until: string): readonly string[] {
  const occurrences = occurrencesOf(recurrence, { after: new Date(after), until: new Date(until) });
  return occurrences.map(({ date, instant }) => `${date} ${instant.toISOString().slice(0, 16)}`);
}

describe('the occurrences of a recurrence', () => {
  test('occurrences keep their local time after a clock change', () => {
    expect(
      listOccurrences(createDailyRecurrence('Europe/Berlin', 9), '2027-03-27T00:00Z', '2027-03-29T00:00Z'),
    ).toEqual(['2027-03-27 2027-03-27T08:00', '2027-03-28 2027-03-28T07:00']);
  });

  test('an occurrence at a skipped time is moved forward', () => {
    expect(
      listOccurrences(
        createDailyRecurrence('Europe/Berlin', 2, 30),
        '2027-03-27T12:00Z',
        '2027-03-29T00:00Z',
      ),
    ).toEqual(['2027-03-28 2027-03-28T01:30']);
  });

  test('an occurrence at a repeated time is only the first of the two', () => {
    expect(
      listOccurrences(
        createDailyRecurrence('Europe/Berlin', 2, 30),
        '2027-10-30T12:00Z',
        '2027-10-31T12:00Z',
      ),
    ).toEqual(['2027-10-31 2027-10-31T00:30']);
  });

  test('a date that the zone skipped has no occurrence', () => {
    expect(
      listOccurrences(createDailyRecurrence('Pacific/Apia', 9), '2011-12-29T00:00Z', '2012-01-01T00:00Z'),
    ).toEqual(['2011-12-29 2011-12-29T19:00', '2011-12-31 2011-12-30T19:00', '2012-01-01 2011-12-31T19:00']);
  });

  test('an occurrence keeps its date if a clock change moves it past midnight', () => {
    const occurrences = listOccurrences(
      createDailyRecurrence('America/Toronto', 23, 45),
      '1919-03-30T12:00Z',
      '1919-04-01T12:00Z',
    );
    expect(occurrences.map((occurrence) => occurrence.slice(0, 10))).toEqual(['1919-03-30', '1919-03-31']);
  });

  test('the start instant is excluded, and the end instant is included', () => {
    const nine = '2026-12-01T08:00Z';
    expect(listOccurrences(createDailyRecurrence('Europe/Berlin', 9), nine, '2026-12-02T08:00Z')).toEqual([
      '2026-12-02 2026-12-02T08:00',
    ]);
  });

  test('the weekdays are those of the recurrence’s zone', () => {
    const mondays = createWeeklyRecurrence([1], { hour: 8, minute: 0 }, 'Asia/Tokyo');
    expect(listOccurrences(mondays, '2026-11-20T00:00Z', '2026-12-01T00:00Z')).toEqual([
      '2026-11-23 2026-11-22T23:00',
      '2026-11-30 2026-11-29T23:00',
    ]);
  });
});

test('the next occurrence is the first in the future, and a recurrence without days has none', () => {
  const createAtTen = (weekdays: readonly number[]) =>
    createWeeklyRecurrence(weekdays, { hour: 10, minute: 0 }, 'Europe/Berlin');
  const weekends = createAtTen([6, 7]);
  expect(nextOccurrence(weekends, new Date('2026-11-20T10:15:00Z'))).toEqual({
    date: '2026-11-21',
    instant: new Date('2026-11-21T09:00:00Z'),
  });
  expect(nextOccurrence(createAtTen([]), new Date())).toBeUndefined();
});

/** Returns zones with different offsets in any week of 2026 and 2027. */
function listZonesWithDifferentOffsets(): readonly string[] {
  const weeks = Array.from({ length: 105 }, (_, week) => Date.UTC(2026, 0, 1 + week * 7));
  const byOffsets = new Map(
    ALL_ZONES.map((zone) => [weeks.map((week) => offsetAt(week, zone)).join(), zone] as const),
  );
  return [...byOffsets.values()];
}

test('in every zone, a daily recurrence has one occurrence for each date of two years, in order', () => {
  const minutesOfDay = [0, 30, 2 * 60 + 30, 23 * 60 + 45];
  for (const [index, zone] of listZonesWithDifferentOffsets().entries()) {
    const minuteOfDay = minutesOfDay[index % minutesOfDay.length] ?? 0;
    const occurrences = occurrencesOf(
      createDailyRecurrence(zone, Math.floor(minuteOfDay / 60), minuteOfDay % 60),
      { after: new Date('2025-12-31T00:00Z'), until: new Date('2028-01-02T00:00Z') },
    ).filter(({ date }) => date.startsWith('2026') || date.startsWith('2027'));
    const isSorted = occurrences.every(
      ({ instant }, i) => instant > (occurrences[i - 1]?.instant ?? new Date(0)),
    );
    const dates = new Set(occurrences.map(({ date }) => date)).size;
    expect({ zone, dates, count: occurrences.length, isSorted }).toEqual({
      zone,
      dates: 730,
      count: 730,
      isSorted: true,
    });
  }
});

describe('intervals, days of the month and limits', () => {
  const start = { interval: 2, start: '2026-11-30', times: [{ hour: 9, minute: 0 }], zone: 'Etc/UTC' };
  const listDates = (recurrence: ZonedRecurrence): readonly string[] =>
    occurrencesOf(recurrence, {
      after: new Date('2026-11-20T00:00Z'),
      until: new Date('2027-12-31T00:00Z'),
      most: 4,
    }).map(({ date }) => date);

  test.each<[string, Partial<ZonedRecurrence>, readonly string[]]>([
    ['every other day', { on: { unit: 'day' } }, ['2026-11-30', '2026-12-02', '2026-12-04', '2026-12-06']],
    [
      'Mondays and Fridays of every other week',
      { on: { unit: 'week', weekdays: [1, 5] } },
      ['2026-11-30', '2026-12-04', '2026-12-14', '2026-12-18'],
    ],
    [
      'the 31st of every month, which some months lack',
      { on: { unit: 'month', monthDays: [{ day: 31 }] }, interval: 1 },
      ['2026-12-31', '2027-01-31', '2027-03-31', '2027-05-31'],
    ],
    [
      'the last day of every other month',
      { on: { unit: 'month', monthDays: [{ day: -1 }] } },
      ['2026-11-30', '2027-01-31', '2027-03-31', '2027-05-31'],
    ],
    [
      'the first Monday and last Friday of every month',
      {
        on: {
          unit: 'month',
          monthDays: [
            { weekday: 1, nth: 1 },
            { weekday: 5, nth: -1 },
          ],
        },
        interval: 1,
      },
      ['2026-12-07', '2026-12-25', '2027-01-04', '2027-01-29'],
    ],
    ['a number of times', { on: { unit: 'day' }, count: 2 }, ['2026-11-30', '2026-12-02']],
    ['a last date', { on: { unit: 'day' }, until: '2026-12-02' }, ['2026-11-30', '2026-12-02']],
    [
      'exceptions',
      { on: { unit: 'day' }, except: [{ from: '2026-12-01', to: '2026-12-05' }] },
      ['2026-11-30', '2026-12-06', '2026-12-08', '2026-12-10'],
    ],
  ])('%s', (_, recurrence, expectedDates) => {
    expect(listDates({ ...start, on: { unit: 'day' }, ...recurrence })).toEqual(expectedDates);
  });

  test('each time of a day is an occurrence', () => {
    const times = [
      { hour: 9, minute: 0 },
      { hour: 17, minute: 0 },
    ];
    expect(listDates({ ...start, on: { unit: 'day' }, times, count: 3 })).toEqual([
      '2026-11-30',
      '2026-11-30',
      '2026-12-02',
    ]);
  });
});
