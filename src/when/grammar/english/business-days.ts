import { DateTime, Duration } from 'luxon';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';
import { saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const DAYS = `(?:\\d{1,2}|${NUMBER_WORD}|an?)\\s(?:(?:business|working|work)[\\s-]?days?|week-?days?)`;
const SATURDAY = 6;

/**
 * "in 3 business days", "two working days from now": Mondays to Fridays, at the time that it is now; "the next
 * working day" is a day by name.
 */
export const businessDays = rule(
  `(?:in|after)\\s(?<ahead>${DAYS})(?:(?:'s?)?\\stime)?|(?<later>${DAYS})(?:\\s(?:from\\s(?:now|today)|later|hence)|(?:'s?)?\\stime)|(?<next>(?:the\\s)?(?:next|following)\\s(?:(?:business|working|work)[\\s-]?day|week-?day))`,
  ({ ahead, later, next }, today) => {
    if (next !== undefined) return saidDate(today.plus({ days: calendarDays(today, 1) }));
    const word = /^(.*?)\s(?:business|work|week)/.exec(ahead ?? later ?? '')?.[1];
    const count = word === 'a' || word === 'an' ? 1 : numberOf(word);
    return count === undefined
      ? undefined
      : { fromNow: Duration.fromObject({ days: calendarDays(today, count) }) };
  },
);

/** "2 working days after …", "the last business day before …": counted from the words that follow. */
export const workingDaysBeside = rule(
  `(?:(?<days>${DAYS})|(?:the\\s)?(?:(?:first|next|last)\\s)?(?:business|working|work)[\\s-]?day)\\s(?<way>before|after|following|prior\\sto)(?=\\s)`,
  ({ days, way }) => {
    const word = /^(.*?)\s(?:business|work|week)/.exec(days ?? 'a work')?.[1];
    const count = word === 'a' || word === 'an' ? 1 : numberOf(word);
    if (count === undefined) return undefined;
    const isAfter = way === 'after' || way === 'following';
    return { beside: { weekday: 'working', count, way: isAfter ? 'after' : 'before' } };
  },
);

/** "First working day of next month", "the last business day of the year", "last weekday in may". */
export const nthWorkingDays = rule(
  `(?:the\\s)?(?<nth>first|last)\\s(?:(?:business|working|work)[\\s-]?day|week-?day)\\s(?:(?:of|in)\\s(?:the\\s)?)?(?:(?<which>this|next)?\\s?(?<unit>month|quarter|year)|(?<month>${MONTH})${YEAR_BESIDE.replace('which', 'beside')}|(?<alone>20\\d\\d))`,
  ({ nth, which, unit, month, beside, alone, ...words }, today) => {
    const period = unit === 'month' || unit === 'quarter' ? unit : 'year';
    const number = monthOf(month);
    const isFirst = nth === 'first';
    const dayIn = (begin: DateTime, length: 'month' | 'quarter' | 'year'): DateTime =>
      isFirst ? workingDay(begin, 1) : workingDay(begin.endOf(length).startOf('day'), -1);
    if (alone !== undefined) return saidDate(dayIn(DateTime.utc(Number(alone), 1, 1), 'year'));
    if (number !== undefined) {
      const year = yearBeside({ ...words, which: beside }, today);
      const day = dayIn(DateTime.utc(year ?? today.year, number, 1), 'month');
      return saidDate(
        year === undefined && day < today ? dayIn(DateTime.utc(today.year + 1, number, 1), 'month') : day,
      );
    }
    const later = (count: number): DateTime =>
      dayIn(today.startOf(period).plus({ [`${period}s`]: count }), period);
    return saidDate(which === 'next' || (which === undefined && later(0) < today) ? later(1) : later(0));
  },
);

/** That day, or the next one before or after it that is no Saturday and no Sunday. */
function workingDay(day: DateTime, step: 1 | -1): DateTime {
  return day.weekday < SATURDAY ? day : workingDay(day.plus({ days: step }), step);
}

function calendarDays(today: DateTime, count: number): number {
  let days = 0;
  for (let left = count; left > 0; left -= today.plus({ days }).weekday < SATURDAY ? 1 : 0) days += 1;
  return days;
}
