import { rule, type Said } from '../rule.ts';

const TOMORROW = '(?:tomm?orr?ow|tmrw?|tom\\.?|2moro|2morrow)';

/** "today", "tmrw", "the day after tomorrow". */
export const dayNames = rule(
  'day-names',
  `(?<same>today)|(?<second>(?:the\\s)?day\\safter\\s${TOMORROW}|overmorrow)|(?<first>${TOMORROW}|(?:the\\s)?next\\sday)`,
  ({ same, second }, today): Said => {
    const date = today.plus({ days: same === undefined ? (second === undefined ? 1 : 2) : 0 });
    const said = { year: date.year, month: date.month, day: date.day };
    return same === undefined ? said : { ...said, marks: ['today'] };
  },
);
