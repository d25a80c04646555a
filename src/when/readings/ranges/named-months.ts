import { DateTime } from 'luxon';
import { spelled } from '../../grammar/european/spelling.ts';
import { alone, perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';
import type { PeriodRule } from './period-rule.ts';
import { type ClosedStretch, type Named, once, type RangeContext, wholeDays } from './stretch.ts';

/** Years, counted from this one, that a month without a year is looked for in. */
const YEARS = [-1, 0, 1, 2];

const ISO_MONTH = /^(?<year>20\d\d)[-/](?<month>0?[1-9]|1[0-2])$/;

interface MonthPatterns {
  alone: RegExp;
  last: RegExp;
}

const patternsOf = perLanguage((lexicon): MonthPatterns => {
  const month = `(?<month>${lexicon.months.pattern})\\.?`;
  const of = lexicon.words.fillers === '' ? '' : `(?:(?:${spelled(lexicon.words.fillers)})\\s)?`;
  const last = lexicon.words.stretches.lastNamed.map((template) => spelled(template).replace('§', month));
  return {
    alone: alone(lexicon, `${month}(?:,?\\s${of}(?<year>20\\d\\d)|\\s?'(?<short>\\d\\d))?`),
    last: alone(lexicon, last.length === 0 ? '(?!)' : last.join('|')),
  };
});

/** "november", "nov 2027", "2027-11", "last november". */
export const namedMonths: PeriodRule = (words, lexicon, context) => {
  const iso = ISO_MONTH.exec(words)?.groups;
  if (iso !== undefined) return once(monthOf(Number(iso.year), Number(iso.month)));
  return inWords(words, lexicon, context);
};

function inWords(
  words: string,
  lexicon: ReadingLexicon,
  { now }: RangeContext,
): readonly Named[] | undefined {
  const { alone: inAnyYear, last } = patternsOf(lexicon);
  const over = lexicon.months.meaningOf(last.exec(words)?.groups?.month);
  if (over !== undefined) return once(monthOf(now.year - (over < now.month ? 0 : 1), over));
  const found = inAnyYear.exec(words)?.groups;
  const month = lexicon.months.meaningOf(found?.month);
  if (month === undefined) return undefined;
  const year = found?.year ?? (found?.short === undefined ? undefined : `20${found.short}`);
  if (year !== undefined) return once(monthOf(Number(year), month));
  return [{ stretches: YEARS.map((ahead) => monthOf(now.year + ahead, month)), comes: 'yearly' }];
}

function monthOf(year: number, month: number): ClosedStretch {
  const first = DateTime.utc(year, month, 1);
  return wholeDays(first, first.endOf('month'));
}
