import { rule, type Said } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { NUMBER_WORD, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

const DAY = `(?<!:|\\d\\.)(?<day>${ORDINAL_FIGURE}|\\d{1,2}(?!\\s?[ap]\\.?m|[:.]\\d|h\\d|\\s?o'?clock)|${ORDINAL_WORD}|${NUMBER_WORD})`;

/** Two figures only after an apostrophe: "aug 5 16" could as well be an hour, and "nov 19-20" two days. */
const YEAR = `(?:(?:\\s?,\\s?|\\s|-|/|\\s(?:of|in)\\s)(?<year>\\d{4}(?!\\s?h|:))|\\s'(?<short>\\d\\d))?`;

/** "march 3rd", "Feb 15, 2027", "aug-20". */
export const monthThenDay = rule(
  'month-then-day',
  `(?:(?:this|coming)\\s)?(?<month>${MONTH})(?:\\s?,?\\s?(?:the\\s)?|[-/])${DAY}${YEAR}`,
  ({ month, day, year, short }) => date(month, day, year ?? short),
);

/** "31-Aug-27", "31/aug/27". */
export const dayMonthShortYear = rule(
  'day-month-short-year',
  `(?<day>\\d{1,2})(?<by>[-/])(?<month>${MONTH})\\k<by>(?<year>\\d\\d)`,
  ({ month, day, year }) => date(month, day, year),
);

/** "3 march", "the 2nd of March 2027", "22-feb". */
export const dayThenMonth = rule(
  'day-then-month',
  `(?:the\\s)?${DAY}(?:\\.?\\s?(?:day\\s)?(?:of\\s|in\\s)?|[-/])(?<month>${MONTH})(?:,)?${YEAR}`,
  ({ month, day, year, short }) => date(month, day, year ?? short),
);

/** "2027 May 22nd". */
export const yearThenMonth = rule(
  'year-then-month',
  `(?<year>\\d{4})(?:\\s|-|/)(?<month>${MONTH})(?:\\s|-|/)${DAY}`,
  ({ month, day, year }) => date(month, day, year),
);

function date(monthWord?: string, dayWord?: string, year?: string): Said | undefined {
  const month = monthOf(monthWord);
  const day = ordinalOf(dayWord);
  if (month === undefined || day === undefined || day < 1 || day > 31) return undefined;
  return year === undefined ? { month, day } : { month, day, year: fullYear(year) };
}

/** Two figures of a year are of this century: posts are for days to come. */
export function fullYear(figures: string): number {
  return figures.length === 2 ? 2000 + Number(figures) : Number(figures);
}
