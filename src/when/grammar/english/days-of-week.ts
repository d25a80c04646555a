import { rule } from '../rule.ts';
import { ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { saidDate } from './said-date.ts';

const DAYS = 7;

/** "The third day of next week", "2nd day of the week": counted from its Monday. */
export const daysOfWeek = rule(
  `(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE})\\sday\\s(?:of|in)\\s(?:(?:the\\s)?(?<next>next|following|coming)|this|the)\\sweek`,
  ({ nth, next }, today) => {
    const day = ordinalOf(nth);
    if (day === undefined || day < 1 || day > DAYS) return undefined;
    const inThisWeek = today.startOf('week').plus({ days: day - 1 });
    return saidDate(next === undefined ? inThisWeek : inThisWeek.plus({ weeks: 1 }));
  },
);
