import type { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { NUMBER_WORD, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { fullYear, YEAR, yearOf } from './years.ts';

const DAY = `(?<!:|\\d\\.)(?<day>${ORDINAL_FIGURE}|\\d{1,2}(?!\\s?[ap]\\.?m|[:.]\\d|h\\d|\\s?o'?clock|(?<=12)\\s(?:noon|midnight)|\\s(?:past|to)\\s(?:\\d|${NUMBER_WORD}|noon|midnight))|${ORDINAL_WORD}(?!\\sthing)|${NUMBER_WORD})`;

/** "march 3rd", "Feb 15, 2027", "aug-20". */
export const monthThenDay = rule(
  `(?:(?:this|(?:this\\s|the\\s)?(?:coming|upcoming)|next)\\s(?!year)|(?<lead>this|next)\\syear,?\\s(?:on\\s)?)?(?<month>${MONTH})(?:\\s?,?\\s?(?:(?:on\\s)?the\\s)?|[-/])${DAY}(?:${YEAR}|[-./](?<dotted>20\\d\\d|\\d\\d)(?!\\d))`,
  ({ month, day, lead, dotted, ...year }, today) =>
    isDoubtful(year.alone, day, today)
      ? undefined
      : date(month, day, yearOf({ ...year, year: year.year ?? dotted, which: year.which ?? lead }, today)),
);

/** "31-Aug-27", "31/aug/27". */
export const dayMonthShortYear = rule(
  `(?<day>\\d{1,2})(?<by>[-/])(?<month>${MONTH})\\k<by>(?<year>\\d\\d(?!\\d)|20\\d\\d(?=:\\d\\d:))`,
  ({ month, day, year }) => date(month, day, fullYear(year ?? '')),
);

/** "3 march", "the 2nd of March 2027", "22-feb". */
export const dayThenMonth = rule(
  `(?:(?<before>20\\d\\d),?\\s)?(?:the\\s)?${DAY}(?:[.,]?\\s?(?:day\\s)?(?:of\\s|in\\s)?(?:(?:this|next|(?:this\\s|the\\s)?(?:coming|upcoming))\\s)?|[-/])(?<month>${MONTH})(?:,)?${YEAR}`,
  ({ month, day, before, ...year }, today) =>
    isDoubtful(year.alone, day, today)
      ? undefined
      : date(month, day, yearOf({ ...year, year: year.year ?? before }, today)),
);

/** "2027 May 22nd". */
export const yearThenMonth = rule(
  `(?<year>20\\d\\d)(?:,?\\s|-|/)(?<month>${MONTH})(?:\\s|-|/)${DAY}`,
  ({ month, day, year }) => date(month, day, fullYear(year ?? '')),
);

/** "dec 28 29" is more likely two days than a day of 2029, and a year that is over is no year to post in. */
function isDoubtful(alone: string | undefined, day: string | undefined, today: DateTime): boolean {
  if (alone === undefined) return false;
  return Number(alone) === (ordinalOf(day) ?? 0) + 1 || fullYear(alone) < today.year;
}

function date(monthWord?: string, dayWord?: string, year?: number): Meaning | undefined {
  const month = monthOf(monthWord);
  const day = ordinalOf(dayWord);
  if (month === undefined || day === undefined || day < 1 || day > 31) return undefined;
  return year === undefined ? { month, day } : { month, day, year };
}
