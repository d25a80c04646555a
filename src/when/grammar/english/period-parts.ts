import { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';
import { ORDINAL_WORD } from './numbers.ts';
import { eitherDate, periodDate, saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const MONDAY = 1;
const STRETCH =
  '(?:(?:the\\s)?(?<stretch>early(?:\\son)?|mid|middle|late)(?:\\s(?:in|of))?(?:\\sthe)?[\\s-]?)';
const NAMED_MONTH = `(?:(?<which>this\\s|next\\s)?month|(?<month>${MONTH})(?!\\s?(?:the\\s)?(?:\\d{1,2}(?!\\d)|${ORDINAL_WORD}))${YEAR_BESIDE.replace('which', 'beside')})`;

/** "Mid-march", "the middle of next month", "early june", "late december 2027": the 15th, or two days that are meant. */
export const partsOfMonths = rule(
  `${STRETCH}${NAMED_MONTH}`,
  ({ stretch, which, month, beside, ...words }, today) => {
    const end = stretch?.startsWith('late') ? 31 : 15;
    const begin = monthNamed({ which, month, words: { ...words, which: beside } }, today, end);
    if (begin === undefined) return undefined;
    if (stretch?.startsWith('mid')) return saidDate(begin.set({ day: 15 }));
    return stretch === 'late'
      ? periodDate(begin.set({ day: 25 }), [begin.endOf('month').startOf('day')])
      : periodDate(begin, [begin.set({ day: 5 })]);
  },
);

/** "First week of may", "the last week of next month": the day it begins with, or its Monday. */
export const weeksOfMonths = rule(
  `(?:in\\s)?(?:the\\s)?(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\\sweek\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, which, month, beside, ...words }, today) => {
    const count = NTH[nth ?? ''] ?? 1;
    const begin = monthNamed(
      { which, month, words: { ...words, which: beside } },
      today,
      Math.abs(count) * 7,
    );
    if (begin === undefined) return undefined;
    const first = count < 0 ? begin.endOf('month').startOf('day') : begin.set({ day: (count - 1) * 7 + 1 });
    const monday = nthWeekday(begin.year, begin.month, MONDAY, count);
    return periodDate(monday ?? first, [first]);
  },
);

const NTH: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4, last: -1 },
  ...{ '1st': 1, '2nd': 2, '3rd': 3, '4th': 4 },
};

/** "Midweek", "early next week", "late this week", "the middle of next week". */
export const partsOfWeeks = rule(
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
    return first === undefined ? undefined : eitherDate(first, others);
  },
);

/** "Mid-2027", "early next year", "late 2027": the first of July, or two days that are meant. */
export const partsOfYears = rule(
  `${STRETCH}(?:(?<year>20\\d\\d)|(?<which>this\\s|next\\s)year|(?<=\\bthe\\s)year)`,
  ({ stretch, year, which }, today) => {
    const named = year === undefined ? today.year + (which?.startsWith('next') ? 1 : 0) : Number(year);
    if (stretch?.startsWith('mid')) return saidDate(DateTime.utc(named, 7, 1));
    const [month, other] = stretch === 'late' ? [12, 11] : [1, 2];
    return periodDate(DateTime.utc(named, month, 1), [DateTime.utc(named, other, 1)]);
  },
);

interface MonthWords {
  which: string | undefined;
  month: string | undefined;
  words: Parameters<typeof yearBeside>[0];
}

/** The first of the month that is named; without a year, one whose day is still to come. */
function monthNamed({ which, month, words }: MonthWords, today: DateTime, day: number): DateTime | undefined {
  const thisMonth = today.startOf('month');
  if (month === undefined) {
    const isNext = which?.startsWith('next') || (which === undefined && today.day > day);
    return thisMonth.plus({ months: isNext ? 1 : 0 });
  }
  const number = monthOf(month);
  if (number === undefined) return undefined;
  const year = yearBeside(words, today);
  if (year !== undefined) return DateTime.utc(year, number, 1);
  const isOver = number < today.month || (number === today.month && today.day > day);
  return DateTime.utc(today.year + (isOver ? 1 : 0), number, 1);
}
