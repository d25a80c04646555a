import type { Parser } from 'chrono-node';
import { DateTime, Duration } from 'luxon';
import { dateOf } from '../piece.ts';
import { rule } from '../rule.ts';
import { comingDate, MONTH, monthOf } from './calendar-words.ts';
import { YEAR_BESIDE, yearOf } from './month-dates.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

const DAY = '(?:(?:business|working|work)[\\s-]?day|week-?day)';
const DAYS = (name: string): string => `(?<${name}>\\d{1,2}|${NUMBER_WORD}|an?)\\s${DAY}s?`;
const SATURDAY = 6;

/** "in 3 business days", "two working days from now": the same time of day, counted from Monday to Friday. */
const businessDays = rule(
  `(?:in|after)\\s${DAYS('ahead')}(?:(?:'s?)?\\stime)?|${DAYS('later')}(?:\\s(?:from\\s(?:now|today)|later|hence)|(?:'s?)?\\stime)|(?<next>(?:the\\s)?(?:next|following)\\s${DAY})`,
  ({ ahead, later, next }, today) => {
    if (next !== undefined) return dateOf(today.plus({ days: calendarDays(today, 1) }));
    const count = countOf(ahead ?? later);
    return count === undefined
      ? undefined
      : { fromNow: Duration.fromObject({ days: calendarDays(today, count) }) };
  },
);

/** "2 working days after …", "the last business day before …": counted from the words that follow. */
const workingDaysBeside = rule(
  `(?:${DAYS('days')}|(?:the\\s)?(?:(?:first|next|last)\\s)?(?:business|working|work)[\\s-]?day)\\s(?<way>before|after|following|prior\\sto)(?=\\s)`,
  ({ days = 'a', way }) => {
    const count = countOf(days);
    if (count === undefined) return undefined;
    const isAfter = way === 'after' || way === 'following';
    return { beside: { weekday: 'working', count, way: isAfter ? 'after' : 'before' } };
  },
);

/** "first working day of next month", "the last business day of the year", "last weekday in may". */
const nthWorkingDays = rule(
  `(?:the\\s)?(?<nth>first|last)\\s${DAY}\\s(?:(?:of|in)\\s(?:the\\s)?)?(?:(?<whichUnit>this|next)?\\s?(?<unit>month|quarter|year)|(?<month>${MONTH})${YEAR_BESIDE}|(?<alone>20\\d\\d))`,
  ({ nth, whichUnit, unit, month, alone, ...words }, today) => {
    const period = unit === 'month' || unit === 'quarter' ? unit : 'year';
    const dayIn = (begin: DateTime, length: 'month' | 'quarter' | 'year'): DateTime =>
      nth === 'first' ? workingDay(begin, 1) : workingDay(begin.endOf(length).startOf('day'), -1);
    if (alone !== undefined) return dateOf(dayIn(DateTime.utc(Number(alone)), 'year'));
    const number = monthOf(month);
    if (number !== undefined) {
      const date = comingDate(today, yearOf(words, today), (year) =>
        dayIn(DateTime.utc(year, number), 'month'),
      );
      return date && dateOf(date);
    }
    const inPeriod = (count: number): DateTime =>
      dayIn(today.startOf(period).plus({ [`${period}s`]: count }), period);
    const isNext = whichUnit === 'next' || (whichUnit === undefined && inPeriod(0) < today);
    return dateOf(inPeriod(isNext ? 1 : 0));
  },
);

function countOf(word: string | undefined): number | undefined {
  return numberOf(word?.replace(/^an?$/, '1'));
}

/** That day, or the closest before or after it that isn't at a weekend. */
function workingDay(day: DateTime, step: 1 | -1): DateTime {
  return day.weekday < SATURDAY ? day : workingDay(day.plus({ days: step }), step);
}

function calendarDays(today: DateTime, count: number): number {
  let days = 0;
  for (let left = count; left > 0; left -= today.plus({ days }).weekday < SATURDAY ? 1 : 0) days += 1;
  return days;
}

export const businessDayRules: readonly Parser[] = [businessDays, workingDaysBeside, nthWorkingDays];
