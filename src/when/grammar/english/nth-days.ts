import { DateTime } from 'luxon';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

/** "Second to last day of the month", "the 5th last day of may", "the penultimate day of next month". */
export const daysFromEnd = rule(
  `(?:the\\s)?(?:(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE})[\\s-](?:to[\\s-]|from[\\s-])?last|next[\\s-]to[\\s-]last|penultimate|last\\sbut\\sone)\\sday\\s(?:of|in)\\s(?:(?:the|this)\\s)?(?:(?<next>next\\s)?month|(?<month>${MONTH})${YEAR_BESIDE})`,
  ({ nth, next, month, ...words }, today) => {
    const days = (ordinalOf(nth) ?? 2) - 1;
    const inMonth = (begin: DateTime): DateTime => begin.endOf('month').startOf('day').minus({ days });
    const number = monthOf(month);
    if (month === undefined) {
      const later = today.startOf('month').plus({ months: 1 });
      const day = inMonth(today);
      return saidDate(next !== undefined || day < today ? inMonth(later) : day);
    }
    if (number === undefined) return undefined;
    const year = yearBeside(words, today);
    const day = inMonth(DateTime.utc(year ?? today.year, number, 1));
    return saidDate(
      year === undefined && day < today ? inMonth(DateTime.utc(today.year + 1, number, 1)) : day,
    );
  },
);

/** "The 100th day of 2027", "day 256 of next year". */
export const daysOfYear = rule(
  '(?:the\\s)?(?:(?<ordinal>\\d{1,3})(?:st|nd|rd|th)\\sday|day\\s(?<number>\\d{1,3}))\\s(?:of|in)\\s(?:(?<year>20\\d\\d)|(?<which>this|the|next)\\syear)',
  ({ ordinal, number, year, which }, today) => {
    const inYear = (named: number): DateTime =>
      DateTime.fromObject({ year: named, ordinal: Number(ordinal ?? number) }, { zone: 'utc' });
    const date = inYear(year === undefined ? today.year + (which === 'next' ? 1 : 0) : Number(year));
    if (!date.isValid) return undefined;
    return saidDate(which === 'the' && date < today ? inYear(today.year + 1) : date);
  },
);
