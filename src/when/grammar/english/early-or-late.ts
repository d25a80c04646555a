import { rule } from '../rule.ts';

/** "early on monday", "tuesday, late", "early tomorrow morning": the beginning or the end of what is beside it. */
export const earlyOrLate = rule(
  '(?:(?:as\\s)?(?<early>early)(?:\\sas\\spossible)?|late)(?:\\son|\\s(?:in|at)\\sthe\\sday)?|(?<bright>bright\\sand\\searly)|last\\sthing',
  ({ early, bright }) => ({ edge: (early ?? bright) === undefined ? 'late' : 'early' }),
);
