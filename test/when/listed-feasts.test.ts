import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { LISTED_FEASTS, listedDays } from '../../src/when/grammar/feasts.ts';

/** Returns a warning for each holiday whose dates are listed for less than another year. */
function warnAboutEndingLists(now: DateTime): readonly string[] {
  return LISTED_FEASTS.flatMap((feast) => {
    const lastDay = listedDays(feast).at(-1)?.[0];
    if (lastDay !== undefined && lastDay >= now.plus({ years: 1 })) return [];
    const { name, source, years } = feast;
    return `${name} is listed until ${lastDay?.toISODate()}, and nobody can use it for a later post: add years after ${years[1]} from ${source} to src/when/grammar/feasts.ts`;
  });
}

describe('holidays whose dates are listed for each year', () => {
  test.each(LISTED_FEASTS.map((feast) => [feast.name, feast] as const))(
    '%s has a valid date in each listed year',
    (_name, feast) => {
      const [firstYear, lastYear] = feast.years;
      const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
      const days = listedDays(feast);
      expect(days.map(([day]) => day.year)).toEqual(years);
      expect(days.flat().filter((day) => !day.isValid)).toEqual([]);
    },
  );

  test('all holidays are listed for at least another year', () => {
    expect(warnAboutEndingLists(DateTime.utc())).toEqual([]);
  });

  test('a year before the last listed date, a warning explains what to do', () => {
    expect(warnAboutEndingLists(DateTime.utc(2034, 1, 15))).toEqual([]);
    const [warning, ...otherWarnings] = warnAboutEndingLists(DateTime.utc(2034, 1, 16));
    expect(warning).toMatch(
      /^pongal is listed until 2035-01-15.*add years after 2035 from https:.* to src\/when\//,
    );
    expect(otherWarnings).toEqual([]);
  });
});
