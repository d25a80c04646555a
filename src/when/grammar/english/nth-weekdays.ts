import type { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf, WEEKDAY, weekdayOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ordinalOf } from './numbers.ts';

const NTH =
  '(?<nth>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last|final|(?:second|2nd|next)\\sto\\slast|last\\sbut\\sone)';
const NTH_OF = `(?:the\\s)?${NTH}\\s(?<weekday>${WEEKDAY})`;

const nthOf = (words: string | undefined): number => {
  if (words === 'last' || words === 'final') return -1;
  return words?.includes('last') ? -2 : (ordinalOf(words) ?? 1);
};

/** "first monday of october", "last friday in march 2027", "2nd tuesday of next april". */
export const nthWeekdays = rule(
  `${NTH_OF}\\s(?:(?:of|in)\\s(?:the\\s)?(?:month\\sof\\s)?)?(?:this\\s|next\\s)?(?<month>${MONTH})(?:,?\\s(?:of\\s)?(?:(?<year>\\d{4})|(?<which>this|next)\\syear))?`,
  ({ nth, weekday, month, year, which }, today) => {
    const day = weekdayOf(weekday);
    const named = monthOf(month);
    if (day === undefined || named === undefined) return undefined;
    if (year !== undefined) return said(nthWeekday(Number(year), named, day, nthOf(nth)));
    const thisYears = nthWeekday(today.year, named, day, nthOf(nth));
    const isLater = which === 'next' || (which === undefined && isOver(thisYears, today));
    return said(isLater ? nthWeekday(today.year + 1, named, day, nthOf(nth)) : thisYears);
  },
);

/** "last friday of the month", "first monday next month", "first monday in 3 months". */
export const nthWeekdaysOfMonths = rule(
  `${NTH_OF}\\s(?:(?:(?:of|in)\\s)?(?:(?<which>this|the|next|the\\snext|the\\sfollowing)\\s)month|in\\s(?<count>\\d{1,2}|${NUMBER_WORD}|an?)\\smonths?(?:'?\\stime)?)`,
  ({ nth, weekday, which, count }, today) => {
    const day = weekdayOf(weekday);
    const ahead = which === undefined ? monthsOf(count) : Number(/next|following/.test(which));
    if (day === undefined || ahead === undefined) return undefined;
    const meant = inMonth(today, ahead, day, nth);
    return said(which === 'the' && isOver(meant, today) ? inMonth(today, 1, day, nth) : meant);
  },
);

/** "first monday of 2027", "last friday of the year". */
export const nthWeekdaysOfYears = rule(
  `${NTH_OF}\\s(?:(?:of|in)\\s(?:(?<year>\\d{4})|(?<which>this|the|next|the\\snext)\\syear)|(?<beside>this|next)\\syear)`,
  ({ nth, weekday, year, which, beside }, today) => {
    const day = weekdayOf(weekday);
    if (day === undefined) return undefined;
    const isNext = (which ?? beside)?.endsWith('next');
    const inYear = year === undefined ? today.year + (isNext ? 1 : 0) : Number(year);
    const count = nthOf(nth);
    return said(nthWeekday(inYear, count < 0 ? 12 : 1, day, count));
  },
);

function monthsOf(count: string | undefined): number | undefined {
  return count === 'a' || count === 'an' ? 1 : numberOf(count);
}

function inMonth(today: DateTime, ahead: number, weekday: number, nth?: string): DateTime | undefined {
  const month = today.startOf('month').plus({ months: ahead });
  return nthWeekday(month.year, month.month, weekday, nthOf(nth));
}

function isOver(date: DateTime | undefined, today: DateTime): boolean {
  return date !== undefined && date < today;
}

function said(date: DateTime | undefined): Meaning | undefined {
  return date === undefined ? undefined : { year: date.year, month: date.month, day: date.day };
}
