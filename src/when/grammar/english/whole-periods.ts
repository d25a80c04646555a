import type { Parser } from 'chrono-node';
import { DateTime, Duration } from 'luxon';
import { dateOf, type Meaning, periodOf } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf, WEEKDAY } from './calendar-words.ts';
import { YEAR_BESIDE, yearOf } from './month-dates.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

const NEXT = '(?:(?:the\\s)?(?:next|following)|(?:(?:this|the)\\s)?(?:coming|upcoming))';
/** "The week after next christmas" isn't the week after next. */
const NAMED = `(?:${WEEKDAY}|${MONTH}|week|weekend|month|quarter|year|easter|christmas)\\b`;
const LEAD = '(?:(?:some\\s?time|(?:some|any|one)\\sday|any\\s?time|later|in)\\s)?';

/** "next week's monday". */
const BEFORE_DAY = `(?:'s(?=\\s${WEEKDAY}))?`;

/** "next week", "next month", "the following year": its first day, or so long from now. */
const nextPeriods = rule(
  `${LEAD}${NEXT}\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}|${LEAD}(?:the\\s)?(?<after>week|month|year)\\safter\\snext(?!\\s${NAMED})`,
  ({ unit, after }, today) => {
    const count = after === undefined ? 1 : 2;
    const name = unit ?? after;
    const period = name === 'week' || name === 'month' || name === 'quarter' ? name : 'year';
    const meaning = asStretch(today.startOf(period).plus({ [`${period}s`]: count }), FROM_NOW[period](count));
    if (period === 'month') return { ...meaning, contains: 'month' };
    return period === 'week'
      ? { ...meaning, contains: count === 1 ? 'next-week' : 'week-after-next' }
      : meaning;
  },
);

const FROM_NOW = {
  week: (count: number) => `P${count * 7}D`,
  month: (count: number) => `P${count}M`,
  quarter: (count: number) => `P${count * 3}M`,
  year: (count: number) => `P${count}Y`,
} as const;

/** "this week", "this month": today, or its end. */
const thisPeriods = rule(
  `${LEAD}(?:this|the\\scurrent)\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}`,
  ({ unit }, today) => {
    const period = unit === 'week' || unit === 'month' || unit === 'quarter' ? unit : 'year';
    const end = today.endOf(period).startOf('day');
    const workEnds = period === 'week' ? end.minus({ days: 2 }) : end;
    const meaning = periodOf(
      today,
      [workEnds, end].filter((day) => day >= today),
    );
    return period === 'week' ? { ...meaning, contains: 'this-week' } : meaning;
  },
);

/** More days than this can't be offered as choices. */
const MAX_DAYS = 4;

/** "the coming two days", "3 upcoming days": one of them. */
const comingDays = rule(
  `${LEAD}(?:the\\s)?(?:(?:coming|upcoming)\\s(?<count>\\d|${NUMBER_WORD})|(?<before>\\d|${NUMBER_WORD})\\s(?:coming|upcoming))\\sdays?`,
  ({ count, before }, today) => {
    const days = numberOf(count ?? before) ?? 0;
    if (days < 2 || days > MAX_DAYS) return undefined;
    const dates = Array.from({ length: days }, (_, index) => today.plus({ days: index + 1 }));
    return periodOf(dates[0] ?? today, dates);
  },
);

/** "the 3rd month of 2027", "last month of next year". */
const nthMonths = rule(
  `${LEAD}(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE}|last)\\smonth(?=\\s(?:of|in)\\s)${YEAR_BESIDE}`,
  ({ nth, ...words }, today) => {
    const month = nth === 'last' ? 12 : ordinalOf(nth);
    const year = yearOf(words, today);
    if (month === undefined || month > 12 || year === undefined) return undefined;
    return monthIn(today, month, year, false);
  },
);

/** "june", "in june 2027", "next january": its first day, or the day with today's number. */
const wholeMonths = rule(
  `(?:(?:some|any|one)\\sday\\sin\\s)?(?:(?:in\\s)?(?:the\\s)?month\\sof\\s)?(?:(?<lead>this|next|coming|upcoming)\\s)?(?<!\\d\\s?)(?!(?:may|march)\\s(?!(?:of|in|this|next)\\s|20\\d\\d|'\\d)\\w)(?<month>${MONTH})(?!\\s?\\d{1,2}(?!\\d)|\\sthe\\s\\d)${YEAR_BESIDE}`,
  ({ lead, month, ...words }, today) => {
    const number = monthOf(month);
    return (number && monthIn(today, number, yearOf(words, today), lead === 'next')) || undefined;
  },
);

/** "2027-06", "2027/6", "06/2027". */
const monthsInFigures = rule(
  '(?<!\\d[-/.]|\\d)(?:(?<year>20\\d\\d)[-/](?<month>1[0-2]|0?[1-9])|(?<first>1[0-2]|0?[1-9])[-/](?<last>20\\d\\d))(?![-/.:]?\\d)',
  ({ year, month, first, last }, today) =>
    monthIn(today, Number(month ?? first), Number(year ?? last), false),
);

/** "2028", "in 2028", "sometime in 2028": its first day, or so many years from now. */
const wholeYears = rule(
  `(?<=^\\s*(?:post|schedule|publish|send)?(?:\\s?it)?\\s*)${LEAD}(?:the\\syear\\s)?(?<year>20\\d\\d)(?=[\\s.!]*$)`,
  ({ year }, today) => {
    const ahead = Number(year) - today.year;
    return ahead < 1 ? undefined : asStretch(DateTime.utc(Number(year), 1, 1), `P${ahead}Y`);
  },
);

function asStretch(begin: DateTime, fromNow: string): Meaning {
  return { ...dateOf(begin), isPeriod: true, orFromNow: Duration.fromISO(fromNow) };
}

/** The current month only with its year. "Next june" can also be the one of the year after. */
function monthIn(today: DateTime, month: number, named: number | undefined, isNext: boolean): Meaning {
  const year = named ?? today.year + (month > today.month ? 0 : 1);
  const begin = DateTime.utc(year, month, 1);
  const sameDay = begin.set({ day: Math.min(today.day, begin.daysInMonth ?? 28) });
  if (begin.hasSame(today, 'month')) return periodOf(today, [begin.endOf('month').startOf('day')]);
  const isEitherYear = isNext && named === undefined && year === today.year;
  return periodOf(begin, isEitherYear ? [sameDay, begin.plus({ years: 1 })] : [sameDay]);
}

export const wholePeriodRules: readonly Parser[] = [
  nextPeriods,
  thisPeriods,
  comingDays,
  nthMonths,
  wholeMonths,
  monthsInFigures,
  wholeYears,
];
