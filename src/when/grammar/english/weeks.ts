import type { Parser } from 'chrono-node';
import type { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import { dateOf, eitherDateOf, periodOf } from '../piece.ts';
import { rule } from '../rule.ts';
import { comingMonth, NAMED_MONTH } from './month-dates.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { STRETCH } from './periods.ts';

const MONDAY = 1;
const SATURDAY = 6;

/** "week of december 7", "the week commencing 7 dec", "w/c 7/12": its Monday, or the day itself. */
const weekOfDay = rule(
  '(?:in\\s)?(?:the\\s)?(?:week\\s(?:of|commencing|beginning|starting)|w/c)(?:\\son)?(?=\\s(?:the\\s)?(?!next|this|last|month|year)(?:\\d|[a-z]))',
  () => ({ beside: { weekday: MONDAY, count: 1, way: 'in-week' } }),
);

/** "the third day of next week", "2nd day of the week", counted from Monday. */
const daysOfWeek = rule(
  `(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE})\\sday\\s(?:of|in)\\s(?:(?:the\\s)?(?<next>next|following|coming)|this|the)\\sweek`,
  ({ nth, next }, today) => {
    const day = ordinalOf(nth);
    if (day === undefined || day < 1 || day > 7) return undefined;
    return dateOf(today.startOf('week').plus({ days: day - 1, weeks: next === undefined ? 0 : 1 }));
  },
);

/** "midweek", "early next week", "late this week", "the middle of next week". */
const partsOfWeeks = rule(
  `(?:(?<mid>mid-?\\s?week)(?:\\s(?<nextMid>next)\\sweek)?|${STRETCH}(?:(?<which>this|next|the)\\s)?week)`,
  ({ mid, nextMid, stretch = 'mid', which }, today) => {
    const isNext = which === 'next' || nextMid !== undefined;
    const monday = today.startOf('week').plus({ weeks: isNext ? 1 : 0 });
    const isMiddle = mid !== undefined || stretch.startsWith('mid');
    const days = isMiddle ? [2] : stretch === 'late' ? [3, 4] : [0, 1];
    const dates = days.map((ahead) => monday.plus({ days: ahead }));
    const isOver = !isNext && dates.every((date) => date < today);
    const [first, ...others] = dates
      .map((date) => (isOver && which === undefined ? date.plus({ weeks: 1 }) : date))
      .filter((date) => isOver || date >= today);
    return first && eitherDateOf(first, others);
  },
);

const NTH = '(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)';

function nthOf(word: string | undefined): number {
  return word === 'last' ? -1 : (ordinalOf(word) ?? 1);
}

/** "first week of may", "the last week of next month": its Monday, or its first day. */
const weeksOfMonths = rule(
  `(?:in\\s)?(?:the\\s)?${NTH}\\sweek\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, ...words }, today) => {
    const count = nthOf(nth);
    const lastIn = (begin: DateTime): DateTime =>
      count < 0 ? begin.endOf('month').startOf('day') : begin.set({ day: count * 7 });
    const begin = comingMonth(words, today, lastIn);
    if (begin === undefined) return undefined;
    const first = count < 0 ? lastIn(begin) : begin.set({ day: (count - 1) * 7 + 1 });
    return periodOf(nthWeekday(begin.year, begin.month, MONDAY, count) ?? first, [first]);
  },
);

/** "this weekend", "at the weekend", "next weekend" (the coming one, or the one after it), "2 weekends from now". */
const weekends = rule(
  `(?:(?:some\\s?time|later|at|over)\\s)?(?:(?:(?<which>this\\scoming|this|the\\snext|next|the\\sfollowing|following|the\\scoming|coming|the|a)\\s)?week-?end(?<after>\\safter\\snext)?|(?<count>\\d|${NUMBER_WORD})\\sweekends\\s(?:from\\snow|hence))`,
  ({ which, after, count }, today) => {
    const isNext = /next|following/.test(which ?? '') || after !== undefined;
    const isWeekend = today.weekday >= SATURDAY;
    const weeks = count === undefined ? Number(after !== undefined) : (numberOf(count) ?? 1) - 1;
    const saturday = today
      .startOf('week')
      .plus({ days: 5, weeks: weeks + Number(isWeekend && (isNext || count !== undefined)) });
    const later = isNext && !isWeekend ? bothDays(saturday.plus({ weeks: 1 })) : [];
    const [first = saturday, ...others] = [...bothDays(saturday), ...later].filter((day) => day >= today);
    return periodOf(first, others);
  },
);

/** "first weekend of january", "the last weekend of the month". */
const nthWeekends = rule(
  `(?:the\\s)?${NTH}\\sweek-?end\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, ...words }, today) => {
    const saturdayIn = ({ year, month }: DateTime): DateTime | undefined =>
      nthWeekday(year, month, SATURDAY, nthOf(nth));
    const begin = comingMonth(words, today, saturdayIn);
    const saturday = begin && saturdayIn(begin);
    return saturday && periodOf(saturday, bothDays(saturday));
  },
);

function bothDays(saturday: DateTime): readonly DateTime[] {
  return [saturday, saturday.plus({ days: 1 })];
}

export const weekRules: readonly Parser[] = [
  weekOfDay,
  daysOfWeek,
  partsOfWeeks,
  weeksOfMonths,
  weekends,
  nthWeekends,
];
