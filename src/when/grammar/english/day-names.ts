import type { Parser } from 'chrono-node';
import { dateOf, type Meaning } from '../piece.ts';
import { rule } from '../rule.ts';

const TOMORROW = '(?:tomm?orr?ow|tomoro|tomorro|tmrw?|tmrow|tmw|tom\\.?|2mr?rw|2moro|2morrow)';

/** "today", "tmrw", "the day after tomorrow", "tomorrow week" (a week later). */
const dayNames = rule(
  `(?<today>(?:today|2day|this\\s(?:very\\s)?day(?!\\s(?:next|of|in|week|month|year)\\b))(?:\\s(?<todayWeek>week|fortnight)|'?s\\b)?|this\\sday\\s(?<dayWeek>week|fortnight)(?=[\\s.,!?]*(?:$|at\\b|\\d)))|(?<second>(?:(?:the|an?|one)\\s)?day\\safter\\s(?:${TOMORROW}|(?:the\\s)?next\\b(?!\\s(?:\\w|$)))|overmorrow)|(?<=\\b(?:from|after)\\s)(?<yesterday>yesterday)|(?:${TOMORROW}(?:\\s(?<tomorrowWeek>week|fortnight)|'?s\\b)?|(?:the\\s)?(?:next|following)\\sday)`,
  ({ today: word, second, yesterday, todayWeek, dayWeek, tomorrowWeek }, today): Meaning => {
    const week = todayWeek ?? dayWeek ?? tomorrowWeek;
    const days = word !== undefined ? 0 : second !== undefined ? 2 : yesterday !== undefined ? -1 : 1;
    const date = today.plus({ days: days + (week === undefined ? 0 : week === 'week' ? 7 : 14) });
    const isToday = word !== undefined && week === undefined;
    return { ...dateOf(date), isNamedDay: true, ...(isToday && { isToday }) };
  },
);

const SAME_DAY = '(?:on\\s)?(?:the\\s)?(?:same|this|that)\\s(?:very\\s)?day';

/** "this day next week", "next month on the same day". */
const sameDayLater = rule(
  `${SAME_DAY}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_DAY}`,
  ({ after, before }, today) => dateOf(today.plus({ [`${after ?? before}s`]: 1 })),
);

export const dayNameRules: readonly Parser[] = [dayNames, sameDayLater];
