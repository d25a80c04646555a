import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { daysOf, LISTED_FEASTS } from '../../src/when/grammar/english/holidays/published-feasts.ts';

/** Feasts whose last listed day is less than a year ahead, each with what to do about it. */
function endingFeasts(now: DateTime): readonly string[] {
  return LISTED_FEASTS.flatMap((feast) => {
    const last = daysOf(feast).at(-1)?.[0];
    if (last !== undefined && last >= now.plus({ years: 1 })) return [];
    const { names, source, years } = feast;
    return `${names} is listed until ${last?.toISODate()}, and nobody can schedule for it after that: add years after ${years[1]} from ${source} to src/when/grammar/english/holidays/published-feasts.ts`;
  });
}

describe('feasts that are listed year by year', () => {
  test.each(LISTED_FEASTS.map((feast) => [feast.names, feast] as const))(
    '%s has a real day in each year of its almanac',
    (_names, feast) => {
      const [first, last] = feast.years;
      const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const days = daysOf(feast);
      expect(days.map(([day]) => day.year)).toEqual(years);
      expect(days.flat().filter((day) => !day.isValid)).toEqual([]);
    },
  );

  test('all are listed for a year to come', () => {
    expect(endingFeasts(DateTime.utc())).toEqual([]);
  });

  test('the warning comes a year before the last day, and says what to do', () => {
    expect(endingFeasts(DateTime.utc(2034, 1, 15))).toEqual([]);
    const [warning, ...others] = endingFeasts(DateTime.utc(2034, 1, 16));
    expect(warning).toMatch(
      /^pongal is listed until 2035-01-15.*add years after 2035 from https:.* to src\/when\//,
    );
    expect(others).toEqual([]);
  });
});
