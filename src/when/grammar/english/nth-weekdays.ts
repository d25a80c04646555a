import { DateTime } from 'luxon';
import { rule, type Said } from '../rule.ts';
import { MONTH, monthOf, WEEKDAY, weekdayOf } from './calendar-words.ts';
import { ordinalOf } from './numbers.ts';

const NTH = '(?<nth>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last|final)';
const OF = '(?:\\s(?:of|in)\\s(?:the\\s)?|\\s(?=this|next))';
const WHICH = `(?:(?<which>this|next)\\smonth|(?:this\\s|next\\s)?(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?)`;

/** "first monday of october", "last friday in march 2027", "2nd tuesday of next month". */
export const nthWeekdays = rule(
  'nth-weekdays',
  `(?:the\\s)?${NTH}\\s(?<weekday>${WEEKDAY})${OF}${WHICH}`,
  ({ nth, weekday, which, month, year }, today) => {
    const day = weekdayOf(weekday);
    if (day === undefined) return undefined;
    const named =
      which === undefined ? monthOf(month) : today.plus({ months: which === 'next' ? 1 : 0 }).month;
    if (named === undefined) return undefined;
    const thisYear = nthOf(today.year, named, day, nth);
    if (year !== undefined) return nthOf(Number(year), named, day, nth);
    return isOver(thisYear, today) ? nthOf(today.year + 1, named, day, nth) : thisYear;
  },
);

/** The fifth of a weekday is missing from most months. */
function nthOf(year: number, month: number, weekday: number, nth = 'first'): Said | undefined {
  const first = DateTime.utc(year, month, 1);
  const last = first.endOf('month');
  if (nth === 'last' || nth === 'final') return inMonth(last.day - ((last.weekday - weekday + 7) % 7), first);
  const count = ordinalOf(nth);
  const day = 1 + ((weekday - first.weekday + 14) % 7) + ((count ?? 1) - 1) * 7;
  return day > last.day ? undefined : inMonth(day, first);
}

function inMonth(day: number, month: DateTime): Said {
  return { year: month.year, month: month.month, day };
}

function isOver(said: Said | undefined, today: DateTime): boolean {
  const { year, month, day } = said ?? {};
  if (year === undefined || month === undefined || day === undefined) return false;
  return DateTime.utc(year, month, day) < today;
}
