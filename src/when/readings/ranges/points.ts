import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import { calendarPeriods } from './calendar-periods.ts';
import { countedPeriods } from './counted-periods.ts';
import { dayPointsIn, type PointExpression } from './day-expressions.ts';
import { namedMonths } from './named-months.ts';
import { partsOfYear, weeksOfDays } from './parts-of-year.ts';
import { pastDays } from './past-days.ts';
import type { PeriodRule } from './period-rule.ts';
import type { Named, RangeContext } from './stretch.ts';

/** Each names a stretch of time in its own way; the first that knows the words settles it. */
const RULES: readonly PeriodRule[] = [
  countedPeriods,
  calendarPeriods,
  partsOfYear,
  namedMonths,
  pastDays,
  weeksOfDays(daysNamed),
];

/** All that words without "from", "to" or the like can mean: a stretch, a day, a time, or a day and a time. */
export function pointsIn(
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly PointExpression[] {
  return stretchesNamed(words, lexicon, context) ?? dayPointsIn(words.trim(), context);
}

/** Those among them that no moment's words name: undefined where no rule knows the words. */
export function stretchesNamed(
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly PointExpression[] | undefined {
  const plain = words.trim();
  if (plain === '') return [];
  for (const rule of RULES) {
    const named = rule(plain, lexicon, context);
    if (named !== undefined) return named.map((day) => ({ day }));
  }
  return undefined;
}

function daysNamed(words: string, context: RangeContext): readonly Named[] {
  return dayPointsIn(words, context)
    .filter(({ minutes }) => minutes === undefined)
    .map(({ day }) => day)
    .filter((day) => day !== undefined);
}
