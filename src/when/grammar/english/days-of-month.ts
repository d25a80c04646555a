import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import { dateOf, type Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { comingDate, MONTH, WEEKDAY, weekdayOf } from './calendar-words.ts';
import { comingMonth, NAMED_MONTH, YEAR_BESIDE } from './month-dates.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

/** "the 15th", "on the fourteenth", "the 15", "21st". */
const daysOfMonth = rule(
  `(?:the\\s)?(?<figure>${ORDINAL_FIGURE})|the\\s(?<word>${ORDINAL_WORD}|\\d{1,2}(?![:.]\\d))`,
  ({ figure, word }) => dayIn({}, figure ?? word),
);

const CLOCK_TIME = '(?:\\d{1,2}(?::\\d\\d|(?:\\.\\d\\d)?\\s?[ap]\\.?m\\b)|noon|midday|midnight)';
const AT = '(?:at|@|around|about|approximately)';

/** "9am on 22", "on 22 at 9am", "15 at 8:00", "15, 8pm". */
const numbersBesideTimes = rule(
  `(?<=\\bon\\s)(?<on>\\d{1,2})(?=[\\s.!?]*$|,?\\s(?:${AT}\\s)?${CLOCK_TIME})|(?<=^\\s*)(?:(?<first>\\d{1,2})(?=,?\\s${AT}\\s?${CLOCK_TIME})|(?<high>1[3-9]|2\\d|3[01])(?=,?\\s${CLOCK_TIME}))`,
  ({ on, first, high }) => dayIn({}, on ?? first ?? high),
);

/** "20th of next month", "the 3rd day of this month", "first of the month". */
const daysOfNamedMonth = rule(
  `(?:the\\s)?(?:(?<day>${ORDINAL_FIGURE}|\\d{1,2}|${ORDINAL_WORD})\\s(?:day\\s)?|day\\s(?<number>\\d{1,2})\\s)(?:of|in)\\s(?:the\\s)?(?:(?<which>this|current|next|coming|following)\\s)?month`,
  ({ day, number, which }, today) => dayIn(which === undefined ? {} : monthIn(today, which), day ?? number),
);

function monthIn(today: DateTime, which: string | undefined): Meaning {
  const isThis = which === 'this' || which === 'current';
  const { year, month } = today.startOf('month').plus({ months: isThis ? 0 : 1 });
  return { year, month };
}

function dayIn(month: Meaning, word: string | undefined): Meaning | undefined {
  const day = ordinalOf(word);
  return day === undefined || day < 1 || day > 31 ? undefined : { ...month, day };
}

/** "second to last day of the month", "the 5th last day of may", "the penultimate day of next month". */
const daysFromEnd = rule(
  `(?:the\\s)?(?:(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE})[\\s-](?:to[\\s-]|from[\\s-])?last|next[\\s-]to[\\s-]last|penultimate|last\\sbut\\sone)\\sday\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, ...words }, today) => {
    const dateIn = (begin: DateTime): DateTime =>
      begin
        .endOf('month')
        .startOf('day')
        .minus({ days: (ordinalOf(nth) ?? 2) - 1 });
    const begin = comingMonth(words, today, dateIn);
    return begin && dateOf(dateIn(begin));
  },
);

/** "the 100th day of 2027", "day 256 of next year". */
const daysOfYear = rule(
  '(?:the\\s)?(?:(?<ordinal>\\d{1,3})(?:st|nd|rd|th)\\sday|day\\s(?<number>\\d{1,3}))\\s(?:of|in)\\s(?:(?<year>20\\d\\d)|(?<which>this|the|next)\\syear)',
  ({ ordinal, number, year, which }, today) => {
    const named = which === 'the' ? undefined : Number(year ?? today.year + (which === 'next' ? 1 : 0));
    const date = comingDate(today, named, (inYear) =>
      DateTime.fromObject({ year: inYear, ordinal: Number(ordinal ?? number) }, { zone: 'utc' }),
    );
    return date?.isValid ? dateOf(date) : undefined;
  },
);

const NTH_WEEKDAY = `(?:the\\s)?(?<nth>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last|final|(?:second|2nd|next)\\sto\\slast|last\\sbut\\sone)\\s(?<weekday>${WEEKDAY})`;

/** Counted from the month's end if negative: -1 is the last. */
function nthOf(words: string | undefined): number {
  if (words === 'last' || words === 'final') return -1;
  return words?.includes('last') ? -2 : (ordinalOf(words) ?? 1);
}

/** "first monday of october", "2nd tuesday of next april", "last friday of the month", "first monday next month". */
const nthWeekdays = rule(
  `${NTH_WEEKDAY}\\s(?:(?:of|in)\\s)?(?:the\\s)?(?:(?:(?<whichMonth>this|next)\\s)?month(?!\\sof)|(?:month\\sof\\s)?(?:(?:this|next)\\s)?(?<month>${MONTH})${YEAR_BESIDE})`,
  ({ nth, weekday, ...words }, today) => {
    const day = weekdayOf(weekday);
    if (day === undefined) return undefined;
    const dateIn = ({ year, month }: DateTime) => nthWeekday(year, month, day, nthOf(nth));
    const begin = comingMonth(words, today, dateIn);
    const date = begin && dateIn(begin);
    return date && dateOf(date);
  },
);

/** "first monday in 3 months". */
const nthWeekdaysInMonths = rule(
  `${NTH_WEEKDAY}\\s(?:of\\s(?:the\\s)?month\\s)?in\\s(?<count>\\d{1,2}|${NUMBER_WORD}|an?)\\smonths?(?:'?\\stime)?`,
  ({ nth, weekday, count }, today) => {
    const day = weekdayOf(weekday);
    const ahead = numberOf(count?.replace(/^an?$/, '1'));
    if (day === undefined || ahead === undefined) return undefined;
    const { year, month } = today.startOf('month').plus({ months: ahead });
    const date = nthWeekday(year, month, day, nthOf(nth));
    return date && dateOf(date);
  },
);

/** "first monday of 2027", "last friday of the year". */
const nthWeekdaysOfYears = rule(
  `${NTH_WEEKDAY}\\s(?:(?:of|in)\\s(?:(?<year>\\d{4})|(?<which>this|the|next|the\\snext)\\syear)|(?<beside>this|next)\\syear)`,
  ({ nth, weekday, year, which, beside }, today) => {
    const day = weekdayOf(weekday);
    if (day === undefined) return undefined;
    const isNext = (which ?? beside)?.endsWith('next') === true;
    const inYear = year === undefined ? today.year + Number(isNext) : Number(year);
    const count = nthOf(nth);
    const date = nthWeekday(inYear, count < 0 ? 12 : 1, day, count);
    return date && dateOf(date);
  },
);

export const dayOfMonthRules: readonly Parser[] = [
  daysOfMonth,
  numbersBesideTimes,
  daysOfNamedMonth,
  daysFromEnd,
  daysOfYear,
  nthWeekdays,
  nthWeekdaysInMonths,
  nthWeekdaysOfYears,
];
