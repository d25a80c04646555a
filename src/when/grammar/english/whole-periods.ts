import { DateTime, Duration } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf, WEEKDAY } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { periodDate, saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const NEXT = '(?:(?:the\\s)?(?:next|following)|(?:(?:this|the)\\s)?(?:coming|upcoming))';
/** "The week after next christmas" is another. */
const NAMED = `(?:${WEEKDAY}|${MONTH}|week|weekend|month|quarter|year|easter|christmas)\\b`;
const LEAD = '(?:(?:some\\s?time|(?:some|any|one)\\sday|any\\s?time|later|in)\\s)?';

/**
 * "Next week", "next month", "the following year": it begins on a day, or is so long from now; which of them
 * is asked.
 */
export const nextPeriods = rule(
  `${LEAD}${NEXT}\\s(?<unit>week|month|quarter|year)|${LEAD}(?:the\\s)?(?<after>week|month|year)\\safter\\snext(?!\\s${NAMED})`,
  ({ unit, after }, today) => {
    const count = after === undefined ? 1 : 2;
    const name = unit ?? after;
    const period = name === 'week' || name === 'month' || name === 'quarter' ? name : 'year';
    return asStretch(today.startOf(period).plus({ [`${period}s`]: count }), FROM_NOW[period](count));
  },
);

const FROM_NOW = {
  week: (count: number) => `P${count * 7}D`,
  month: (count: number) => `P${count}M`,
  quarter: (count: number) => `P${count * 3}M`,
  year: (count: number) => `P${count}Y`,
} as const;

/** "This week", "this month": of what is left of it, today or its end. */
export const thisPeriods = rule(
  `${LEAD}(?:this|the\\scurrent)\\s(?<unit>week|month|quarter|year)`,
  ({ unit }, today) => {
    const period = unit === 'week' || unit === 'month' || unit === 'quarter' ? unit : 'year';
    const end = today.endOf(period).startOf('day');
    const workEnds = period === 'week' ? end.minus({ days: 2 }) : end;
    const ends = [workEnds, end].filter((day) => day >= today);
    return periodDate(today, ends);
  },
);

/** As many as can stand as choices. */
const MOST_DAYS = 4;

/** "The coming two days", "3 upcoming days": one of them, tomorrow being the first. */
export const comingDays = rule(
  `${LEAD}(?:the\\s)?(?:(?:coming|upcoming)\\s(?<count>\\d|${NUMBER_WORD})|(?<before>\\d|${NUMBER_WORD})\\s(?:coming|upcoming))\\sdays?`,
  ({ count, before }, today) => {
    const days = numberOf(count ?? before) ?? 0;
    if (days < 2 || days > MOST_DAYS) return undefined;
    const [first = today, ...others] = Array.from({ length: days }, (_, index) =>
      today.plus({ days: index + 1 }),
    );
    return periodDate(first, others);
  },
);

/** "The 3rd month of 2027", "last month of next year". */
export const nthMonths = rule(
  `${LEAD}(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE}|last)\\smonth(?=\\s(?:of|in)\\s)${YEAR_BESIDE}`,
  ({ nth, ...words }, today) => {
    const month = nth === 'last' ? 12 : ordinalOf(nth);
    const year = yearBeside(words, today);
    if (month === undefined || month > 12 || year === undefined) return undefined;
    return ofMonth(today, month, year, false);
  },
);

/** "June", "in june 2027", "next january": its first day, or the day of it that has today's number. */
export const wholeMonths = rule(
  `(?:(?:some|any|one)\\sday\\sin\\s)?(?:(?:in\\s)?(?:the\\s)?month\\sof\\s)?(?:(?<lead>this|next|coming|upcoming)\\s)?(?<!\\d\\s?)(?!(?:may|march)\\s(?!(?:of|in|this|next)\\s|20\\d\\d|'\\d)\\w)(?<month>${MONTH})(?!\\s?\\d{1,2}(?!\\d)|\\sthe\\s\\d)${YEAR_BESIDE}`,
  ({ lead, month, ...words }, today) => {
    const number = monthOf(month);
    if (number === undefined) return undefined;
    return ofMonth(today, number, yearBeside(words, today), lead === 'next');
  },
);

/** "2027-06", "2027/6", "06/2027": a month in figures. */
export const monthsInFigures = rule(
  '(?<!\\d[-/.]|\\d)(?:(?<year>20\\d\\d)[-/](?<month>1[0-2]|0?[1-9])|(?<first>1[0-2]|0?[1-9])[-/](?<last>20\\d\\d))(?![-/.:]?\\d)',
  ({ year, month, first, last }, today) =>
    ofMonth(today, Number(month ?? first), Number(year ?? last), false),
);

/** "2028", "in 2028", "sometime in 2028": its first day, or so many years from now. */
export const wholeYears = rule(
  `(?<=^\\s*(?:post|schedule|publish|send)?(?:\\s?it)?\\s*)${LEAD}(?:the\\syear\\s)?(?<year>20\\d\\d)(?=[\\s.!]*$)`,
  ({ year }, today) => {
    const ahead = Number(year) - today.year;
    return ahead < 1 ? undefined : asStretch(DateTime.utc(Number(year), 1, 1), `P${ahead}Y`);
  },
);

function asStretch(begin: DateTime, fromNow: string): Meaning {
  return { ...saidDate(begin), isPeriod: true, orFromNow: Duration.fromISO(fromNow) };
}

/** The month that is running now is meant only by its own year; "next june" can be that of the year after. */
function ofMonth(
  today: DateTime,
  month: number,
  named: number | undefined,
  isNext: boolean,
): Meaning | undefined {
  const year = named ?? today.year + (month > today.month ? 0 : 1);
  const begin = DateTime.utc(year, month, 1);
  const sameDay = begin.set({ day: Math.min(today.day, begin.daysInMonth ?? 28) });
  if (begin.hasSame(today, 'month')) return periodDate(today, [begin.endOf('month').startOf('day')]);
  const isDouble = isNext && named === undefined && year === today.year;
  return periodDate(begin, isDouble ? [sameDay, begin.plus({ years: 1 })] : [sameDay]);
}
