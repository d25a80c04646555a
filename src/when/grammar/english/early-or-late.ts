import { rule } from '../rule.ts';

/** "early on monday", "tuesday, late", "early tomorrow morning": the beginning or the end of what is beside it. */
export const earlyOrLate = rule(
  'early-or-late',
  '(?:(?:as\\s)?(?<early>early)(?:\\sas\\spossible)?|late)(?:\\son|\\s(?:in|at)\\sthe\\sday)?|(?<bright>bright\\sand\\searly)|last\\sthing',
  ({ early, bright }) => ({ marks: [(early ?? bright) === undefined ? 'late' : 'early'] }),
);
