import { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ordinalOf } from './numbers.ts';
import { periodDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const SATURDAY = 6;

/**
 * "This weekend", "at the weekend", "next weekend", "2 weekends from now": its Saturday or its Sunday. "Next" is
 * the one to come or the one after it, as with weekdays.
 */
export const weekends = rule(
  `(?:(?:some\\s?time|later|at|over)\\s)?(?:(?:(?<which>this\\scoming|this|the\\snext|next|the\\sfollowing|following|the\\scoming|coming|the|a)\\s)?week-?end(?<after>\\safter\\snext)?|(?<count>\\d|${NUMBER_WORD})\\sweekends\\s(?:from\\snow|hence))`,
  ({ which, after, count }, today) => {
    const isNext = /next|following/.test(which ?? '') || after !== undefined;
    const isWeekend = today.weekday >= SATURDAY;
    const weeks = count === undefined ? Number(after !== undefined) : (numberOf(count) ?? 1) - 1;
    const saturday = today
      .startOf('week')
      .plus({ days: 5, weeks: weeks + Number(isWeekend && (isNext || count !== undefined)) });
    const later = isNext && !isWeekend ? both(saturday.plus({ weeks: 1 })) : [];
    const meant = both(saturday);
    const [first = saturday, ...others] = [...meant, ...later].filter((day) => day >= today);
    return periodDate(first, others);
  },
);

/** "First weekend of january", "the last weekend of the month". */
export const nthWeekends = rule(
  `(?:the\\s)?(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\\sweek-?end\\s(?:of|in)\\s(?:the\\s)?(?:(?<which>this\\s|next\\s)?month|(?<month>${MONTH})${YEAR_BESIDE.replace('which', 'beside')})`,
  ({ nth, which, month, beside, ...words }, today) => {
    const number = month === undefined ? undefined : monthOf(month);
    const count = nth === 'last' ? -1 : (ordinalOf(nth) ?? 1);
    const inMonth = ({ year, month: of }: DateTime): DateTime | undefined =>
      nthWeekday(year, of, SATURDAY, count);
    const named = yearBeside({ ...words, which: beside }, today);
    const begin =
      number === undefined ? today.startOf('month') : DateTime.utc(named ?? today.year, number, 1);
    const isNext = which?.startsWith('next');
    const first = inMonth(isNext ? begin.plus({ months: 1 }) : begin);
    const isOver = first !== undefined && first < today && named === undefined && !isNext;
    const meant = isOver ? inMonth(begin.plus(number === undefined ? { months: 1 } : { years: 1 })) : first;
    return meant === undefined ? undefined : periodDate(meant, [meant.plus({ days: 1 })]);
  },
);

function both(saturday: DateTime): readonly DateTime[] {
  return [saturday, saturday.plus({ days: 1 })];
}
