import type { Mark } from '../marks.ts';
import { rule } from '../rule.ts';
import { WEEKDAY, weekdayOf } from './calendar-words.ts';

const BEFORE = '(?<before>this\\s(?:coming|upcoming)|this|next|coming|upcoming|the\\sfollowing|following)';
const WEEK = '(?<week>(?:(?:of|in)\\s)?(?:this|next)\\sweek)';

/** "friday", "next tues", "friday after next", "wednesday of next week", "next week monday". */
export const weekdays = rule(
  'weekdays',
  `(?:${BEFORE}\\s)?(?<day>${WEEKDAY})(?:(?<after>\\safter\\snext)|,?\\s${WEEK})?`,
  ({ before, day, after, week }) => said(day, after === undefined ? which(before, week) : 'which/after-next'),
);

export const weekBeforeWeekday = rule(
  'week-before-weekday',
  `(?<week>(?:this|next)\\sweek),?\\s(?:on\\s)?(?<day>${WEEKDAY})`,
  ({ week, day }) => said(day, which(undefined, week)),
);

function said(day: string | undefined, mark: Mark | undefined) {
  const weekday = weekdayOf(day);
  if (weekday === undefined) return undefined;
  return mark === undefined ? { weekday } : { weekday, marks: [mark] };
}

function which(before: string | undefined, week: string | undefined): Mark | undefined {
  if (week !== undefined) return week.endsWith('next week') ? 'which/next-week' : 'which/this-week';
  if (before === undefined) return undefined;
  return before === 'next' || before.endsWith('following') ? 'which/next' : 'which/this';
}
