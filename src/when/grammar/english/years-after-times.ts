import { rule } from '../rule.ts';

/** "Tue Dec 1 10:00:00 2026", as Unix writes it: four figures after the seconds, or last of all, are the year. */
export const yearsAfterTimes = rule(
  '(?<=:\\d\\d:\\d\\d\\s{1,3}|\\d:\\d\\d\\s(?=20\\d\\d[\\s.]*$))(?<year>20\\d\\d)',
  ({ year }) => ({
    year: Number(year),
  }),
);
