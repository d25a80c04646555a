import { rule, type Said } from '../rule.ts';

const TOMORROW = '(?:tomm?orr?ow|tomoro|tomorro|tmrw?|tmrow|tmw|tom\\.?|2mr?rw|2moro|2morrow)';

/** "today", "tmrw", "the day after tomorrow"; "tomorrow week" as the British say it. */
export const dayNames = rule(
  'day-names',
  `(?<same>(?:today|2day)(?:'?s(?=\\s))?)|(?<second>(?:(?:the|an?|one)\\s)?day\\safter\\s${TOMORROW}|overmorrow)|(?:(?<first>${TOMORROW})(?:(?<week>\\sweek)|'?s(?=\\s))?|(?:the\\s)?(?:next|following)\\sday)`,
  ({ same, second, week }, today): Said => {
    const ahead = week === undefined ? 1 : 8;
    const date = today.plus({ days: same === undefined ? (second === undefined ? ahead : 2) : 0 });
    const said = { year: date.year, month: date.month, day: date.day };
    return same === undefined ? said : { ...said, marks: ['today'] };
  },
);
