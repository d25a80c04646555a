import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

/** A spoken year of this century: "two thousand and thirty", "twenty twenty-six". */
const SPOKEN = `(?<spoken>(?:two\\sthousand(?:\\sand)?|twenty)[\\s-](?:(?:twenty|thirty|forty)(?:[\\s-](?:one|two|three|four|five|six|seven|eight|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen))`;
const FIGURES =
  "(?:(?<=[a-z]\\.?)(?=\\d)|\\s?,\\s?|\\s|-|/|\\s(?:of|in)\\s(?:the\\syear\\s)?)(?<year>\\d{4}(?!\\s?h(?:rs?|ours?)?\\b|:))|,?\\s'(?<short>\\d\\d)";
/** Two figures that can't be an hour: "5 jan 27". */
const ALONE =
  "\\s(?<alone>2[5-9]|[3-5]\\d)(?![\\d:./-]|,\\d|\\s?(?:[ap]\\.?m|h|min|sec|day|week|month|year|o'?\\s?clock))";
const BESIDE = `,?\\s(?:of\\s)?(?<which>this|next)\\syear|\\sin\\s(?<ahead>an?|\\d{1,2}|${NUMBER_WORD})\\syears?(?:'?\\stime)?`;

/** A year after a day and month. */
const YEAR = `(?:${FIGURES}|${ALONE}|,?\\s${SPOKEN}|${BESIDE})?`;

/** A year after a month, a quarter or a half: "may 2027", "q1 '27", "september of next year". */
export const YEAR_BESIDE =
  "(?:(?:,?\\s(?:(?:of|in)\\s(?:the\\syear\\s)?)?|[-/])(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b|:)|\\s'(?<short>\\d\\d)|,?\\s(?:of\\s)?(?<which>this|next|the)\\syear)?";

/** "the month", "next month", "may", "may 2027", "may next year". */
export const NAMED_MONTH = `(?:(?:(?<whichMonth>this|next)\\s)?month|(?<month>${MONTH})(?!\\s?(?:the\\s)?(?:\\d{1,2}(?!\\d)|${ORDINAL_WORD}))${YEAR_BESIDE})`;

const DAY = `(?<!:|\\d\\.)(?<day>${ORDINAL_FIGURE}|\\d{1,2}(?!\\s?[ap]\\.?m|[:.]\\d|h\\d|\\s?o'?clock|(?<=12)\\s(?:noon|midnight)|\\s(?:past|to)\\s(?:\\d|${NUMBER_WORD}|noon|midnight))|${ORDINAL_WORD}(?!\\sthing)|${NUMBER_WORD})`;

/** "march 3rd", "Feb 15, 2027", "aug-20". */
const monthThenDay = rule(
  `(?:(?:this|(?:this\\s|the\\s)?(?:coming|upcoming)|next)\\s(?!year)|(?<lead>this|next)\\syear,?\\s(?:on\\s)?)?(?<month>${MONTH})(?:\\s?,?\\s?(?:(?:on\\s)?the\\s)?|[-/])${DAY}(?:${YEAR}|[-./](?<dotted>20\\d\\d|\\d\\d)(?!\\d))`,
  ({ month, day, lead, dotted, ...words }, today) =>
    isDoubtful(words.alone, day, today)
      ? undefined
      : date(month, day, yearOf({ ...words, year: words.year ?? dotted, which: words.which ?? lead }, today)),
);

/** "3 march", "the 2nd of March 2027", "22-feb". */
const dayThenMonth = rule(
  `(?:(?<before>20\\d\\d),?\\s)?(?:the\\s)?${DAY}(?:[.,]?\\s?(?:day\\s)?(?:of\\s|in\\s)?(?:(?:this|next|(?:this\\s|the\\s)?(?:coming|upcoming))\\s)?|[-/])(?<month>${MONTH})(?:,)?${YEAR}`,
  ({ month, day, before, ...words }, today) =>
    isDoubtful(words.alone, day, today)
      ? undefined
      : date(month, day, yearOf({ ...words, year: words.year ?? before }, today)),
);

/** "31-Aug-27", "31/aug/27", "aug-2027-31", "31-2027-aug", "2027/31/aug". */
const monthInAnyPlace = rule(
  `(?<d1>\\d{1,2})(?<by>[-/])(?:(?<m1>${MONTH})\\k<by>(?<y1>\\d\\d(?!\\d)|20\\d\\d(?=:\\d\\d:))|(?<y2>20\\d\\d)\\k<by>(?<m2>${MONTH}))|(?<m3>${MONTH})(?<by3>[-/])(?<y3>20\\d\\d)\\k<by3>(?<d3>\\d{1,2})|(?<y4>20\\d\\d)(?<by4>[-/])(?<d4>\\d{1,2})\\k<by4>(?<m4>${MONTH})`,
  ({ d1, d3, d4, m1, m2, m3, m4, y1, y2, y3, y4 }) =>
    date(m1 ?? m2 ?? m3 ?? m4, d1 ?? d3 ?? d4, fullYear(y1 ?? y2 ?? y3 ?? y4 ?? '')),
);

/** "2027 May 22nd". */
const yearThenMonth = rule(
  `(?<year>20\\d\\d)(?:,?\\s|-|/)(?<month>${MONTH})(?:\\s|-|/)${DAY}`,
  ({ month, day, year }) => date(month, day, fullYear(year ?? '')),
);

/** The year in the format of Unix, after the time: "Tue Dec 1 10:00:00 2026". */
const yearsAfterTimes = rule(
  '(?<=:\\d\\d:\\d\\d\\s{1,3}|\\d:\\d\\d\\s(?=20\\d\\d[\\s.]*$))(?<year>20\\d\\d)',
  ({ year }) => ({ year: Number(year) }),
);

/** "dec 28 29" is more likely two days than a day in 2029. Nobody schedules in a past year. */
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

/** The groups of the patterns for years. */
interface YearWords {
  year?: string | undefined;
  short?: string | undefined;
  spoken?: string | undefined;
  which?: string | undefined;
  ahead?: string | undefined;
  alone?: string | undefined;
}

/** The year in the groups of one of the patterns for years. Undefined without a year. */
export function yearOf(
  { year, short, spoken, which, ahead, alone }: YearWords,
  today: DateTime,
): number | undefined {
  const figures = year ?? short ?? alone;
  if (figures !== undefined) return fullYear(figures);
  if (spoken !== undefined)
    return 2000 + (numberOf(spoken.replace(/^(?:two\sthousand(?:\sand)?|twenty)[\s-]/, '')) ?? 0);
  if (which !== undefined) return today.year + (which === 'next' ? 1 : 0);
  return ahead === undefined ? undefined : today.year + (numberOf(ahead) ?? 1);
}

/** Two figures are a year of this century. */
export function fullYear(figures: string): number {
  return figures.length === 2 ? 2000 + Number(figures) : Number(figures);
}

interface MonthWords extends YearWords {
  whichMonth?: string | undefined;
  month?: string | undefined;
}

/**
 * The first day of the month in the groups of `NAMED_MONTH`. Without a year or "next", it's a month whose day `lastIn`
 * isn't over.
 */
export function comingMonth(
  { whichMonth, month, ...words }: MonthWords,
  today: DateTime,
  lastIn: (begin: DateTime) => DateTime | undefined,
): DateTime | undefined {
  const isOver = (begin: DateTime): boolean => (lastIn(begin) ?? today) < today;
  if (month === undefined) {
    const thisMonth = today.startOf('month');
    const isNext = whichMonth === 'next' || (whichMonth === undefined && isOver(thisMonth));
    return isNext ? thisMonth.plus({ months: 1 }) : thisMonth;
  }
  const number = monthOf(month);
  if (number === undefined) return undefined;
  const year = yearOf(words, today);
  const begin = DateTime.utc(year ?? today.year, number, 1);
  return year === undefined && isOver(begin) ? begin.plus({ years: 1 }) : begin;
}

export const monthDateRules: readonly Parser[] = [
  monthThenDay,
  dayThenMonth,
  monthInAnyPlace,
  yearThenMonth,
  yearsAfterTimes,
];
