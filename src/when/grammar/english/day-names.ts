import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { saidDate } from './said-date.ts';

const TOMORROW = '(?:tomm?orr?ow|tomoro|tomorro|tmrw?|tmrow|tmw|tom\\.?|2mr?rw|2moro|2morrow)';

/** "today", "tmrw", "the day after tomorrow"; "tomorrow week" as the British say it. */
export const dayNames = rule(
  `(?<same>(?:today|2day|this\\s(?:very\\s)?day(?!\\s(?:next|of|in|week|month|year)\\b))(?:\\s(?<weekOn>week|fortnight)|'?s\\b)?|this\\sday\\s(?<thisWeekOn>week|fortnight)(?=[\\s.,!?]*(?:$|at\\b|\\d)))|(?<second>(?:(?:the|an?|one)\\s)?day\\safter\\s(?:${TOMORROW}|(?:the\\s)?next\\b(?!\\s(?:\\w|$)))|overmorrow)|(?<=\\b(?:from|after)\\s)(?<past>yesterday)|(?:(?<first>${TOMORROW})(?:\\s(?<week>week|fortnight)|'?s\\b)?|(?:the\\s)?(?:next|following)\\sday)`,
  ({ same, second, week, weekOn, thisWeekOn = weekOn, past }, today): Meaning => {
    const ahead = 1 + daysIn(week);
    const date = today.plus({ days: same === undefined ? (second === undefined ? ahead : 2) : 0 });
    if (past !== undefined) return { ...saidDate(today.minus({ days: 1 })), isNamedDay: true };
    if (thisWeekOn !== undefined)
      return { ...saidDate(today.plus({ days: daysIn(thisWeekOn) })), isNamedDay: true };
    const said = { year: date.year, month: date.month, day: date.day };
    return { ...said, isNamedDay: true, ...(same !== undefined && { isToday: true }) };
  },
);

function daysIn(weeks: string | undefined): number {
  return weeks === undefined ? 0 : weeks === 'week' ? 7 : 14;
}
