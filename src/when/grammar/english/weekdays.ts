import type { Meaning, WeekChoice } from '../piece.ts';
import { rule } from '../rule.ts';
import { WEEKDAY, weekdayOf } from './calendar-words.ts';

const BEFORE = '(?<before>this\\s(?:coming|upcoming)|this|next|coming|upcoming|the\\sfollowing|following)';
const WEEK =
  '(?<week>(?:(?:of|in)\\s)?(?:this\\sweek|next\\sweek|(?:the\\s)?following\\sweek|(?:the\\s)?week\\safter\\snext))';

/** "friday", "next tues", "friday after next", "next friday but one", "wednesday of next week", "next week monday". */
export const weekdays = rule(
  `(?:${BEFORE}\\s)?(?<day>${WEEKDAY})(?:'s\\b)?(?:(?<after>\\safter\\s(?:the\\s)?next(?:\\sone)?(?!\\s(?:${WEEKDAY}|week|weekend|month|quarter|year|easter|christmas)\\b)|\\sbut\\sone)|,?\\s${WEEK}|(?<next>\\snext)(?!\\s(?!at\\b|noon|\\d)\\w)|\\s(?:coming|upcoming))?`,
  ({ before, day, after, week, next }) =>
    said(day, after === undefined ? which(before ?? next?.trim(), week) : 'after-next'),
);

export const weekBeforeWeekday = rule(
  `(?<week>this\\sweek|next\\sweek|(?:the\\s)?week\\safter\\snext)(?:'?s)?,?\\s(?:on\\s)?(?<day>${WEEKDAY})`,
  ({ week, day }) => said(day, which(undefined, week)),
);

function said(day: string | undefined, week: WeekChoice | undefined): Meaning | undefined {
  const weekday = weekdayOf(day);
  if (weekday === undefined) return undefined;
  return week === undefined ? { weekday } : { weekday, week };
}

function which(before: string | undefined, week: string | undefined): WeekChoice | undefined {
  if (week?.endsWith('after next')) return 'week-after-next';
  if (week !== undefined) return /(?:next|following)\sweek$/.test(week) ? 'next-week' : 'this-week';
  if (before === undefined) return undefined;
  return before === 'next' || before.endsWith('following') ? 'next' : 'this';
}
