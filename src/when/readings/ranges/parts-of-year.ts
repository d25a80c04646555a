import { DateTime } from 'luxon';
import { spelled } from '../../grammar/european/spelling.ts';
import { alone, perLanguage } from '../words/reading-lexicon.ts';
import type { PeriodRule } from './period-rule.ts';
import { type ClosedStretch, type Named, once, type RangeContext, weekStart, wholeDays } from './stretch.ts';

/** Years, counted from this one, that a quarter or week without a year is looked for in. */
const YEARS = [-1, 0, 1];

const YEAR = /^(?:in\s|the\s|year\s)*(?<year>20\d\d)$/i;

interface YearPatterns {
  quarter: RegExp;
  week: RegExp;
}

const patternsOf = perLanguage((lexicon): YearPatterns => {
  const year = "(?:,?\\s(?:\\S{1,3}\\s)?(?<year>20\\d\\d)|\\s?'(?<short>\\d\\d))?";
  return {
    quarter: alone(
      lexicon,
      `(?:(?<before>20\\d\\d)[\\s-]?)?(?<quarter>${lexicon.quarters.pattern})(?:-(?<after>20\\d\\d))?${year}`,
    ),
    week: alone(lexicon, `(?:${spelled(lexicon.words.stretches.calendarWeek)})${year}`),
  };
});

/** "2027", "q1", "the third quarter of 2027", "week 48". */
export const partsOfYear: PeriodRule = (words, lexicon, { now }) => {
  const year = YEAR.exec(words)?.groups?.year;
  if (year !== undefined) return once(yearOf(Number(year)));
  const { quarter, week } = patternsOf(lexicon);
  const inQuarter = quarter.exec(words)?.groups;
  const nth = lexicon.quarters.meaningOf(inQuarter?.quarter);
  if (nth !== undefined) return inYears(inQuarter, now, (each) => quarterOf(each, nth));
  const inWeek = week.exec(words)?.groups;
  const number = Number(inWeek?.week);
  return inWeek === undefined ? undefined : inYears(inWeek, now, (each) => weekOf(each, number));
};

type Found = Readonly<Record<string, string | undefined>> | undefined;

function inYears(
  found: Found,
  now: DateTime,
  stretchIn: (year: number) => ClosedStretch | undefined,
): readonly Named[] {
  const named =
    found?.before ??
    found?.after ??
    found?.year ??
    (found?.short === undefined ? undefined : `20${found.short}`);
  const years = named === undefined ? YEARS.map((ahead) => now.year + ahead) : [Number(named)];
  const stretches = years.map(stretchIn).filter((each) => each !== undefined);
  return stretches.length === 0 ? [] : [{ stretches, comes: named === undefined ? 'yearly' : 'once' }];
}

function yearOf(year: number): ClosedStretch {
  const first = DateTime.utc(year, 1, 1);
  return wholeDays(first, first.endOf('year'));
}

function quarterOf(year: number, quarter: number): ClosedStretch {
  const first = DateTime.utc(year, (quarter - 1) * 3 + 1, 1);
  return wholeDays(first, first.endOf('quarter'));
}

/** The weeks of ISO 8601, which begin on Monday everywhere; not every year has a 53rd. */
function weekOf(weekYear: number, weekNumber: number): ClosedStretch | undefined {
  const first = DateTime.fromObject({ weekYear, weekNumber, weekday: 1 }, { zone: 'utc' });
  return first.isValid ? wholeDays(first, first.plus({ days: 6 })) : undefined;
}

const weekOfPattern = perLanguage((lexicon) =>
  alone(lexicon, `(?:${spelled(lexicon.words.stretches.weekOf)})\\s(?<day>.+)`),
);

/** "the week of 7 december": the week that has this day in it. */
export const weeksOfDays =
  (dayOf: (words: string, context: RangeContext) => readonly Named[]): PeriodRule =>
  (words, lexicon, context) => {
    const day = weekOfPattern(lexicon).exec(words)?.groups?.day;
    if (day === undefined) return undefined;
    return dayOf(day, context).map((named) => ({
      ...named,
      stretches: named.stretches.map(({ from }) => wholeWeek(from.wall, context)),
    }));
  };

function wholeWeek(wall: number, { firstWeekday }: RangeContext): ClosedStretch {
  const first = weekStart(DateTime.fromMillis(wall, { zone: 'utc' }), firstWeekday);
  return wholeDays(first, first.plus({ days: 6 }));
}
