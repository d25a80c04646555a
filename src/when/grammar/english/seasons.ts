import { DateTime } from 'luxon';
import { rule } from '../rule.ts';
import { eitherDate, periodDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

/** Where each season begins in the north: by the calendar of the weather services, and by the sun's (its usual date). */
const BEGINS = {
  spring: [3, 20],
  summer: [6, 21],
  autumn: [9, 22],
  winter: [12, 21],
} as const;

/** "First day of spring", "the start of summer 2027", "winter solstice": the sun's date, or the first of the month. */
export const seasons = rule(
  `(?:the\\s)?(?:(?<name>summer|winter)\\ssolstice|(?<equinox>spring|vernal|autumn|autumnal|fall)\\sequinox|(?:start|beginning|first\\sday)\\sof\\s(?:next\\s)?(?<begin>spring|summer|autumn|fall|winter))${YEAR_BESIDE}`,
  ({ name, equinox, begin, ...words }, today) => {
    const season = SEASONS[name ?? equinox ?? begin ?? ''];
    if (season === undefined) return undefined;
    const [month, day] = BEGINS[season];
    const named = yearBeside(words, today);
    const thisYears = DateTime.utc(named ?? today.year, month, day);
    const sun = named === undefined && thisYears < today ? thisYears.plus({ years: 1 }) : thisYears;
    return begin === undefined
      ? eitherDate(sun, [sun.plus({ days: 1 })])
      : eitherDate(sun, [sun.set({ day: 1 })]);
  },
);

/**
 * "Next spring", "this winter", "in the summer of 2027", "fall 2027": as for other stretches its first day is asked about. One
 * that is running now is not meant by its first day.
 */
export const wholeSeasons = rule(
  `(?:in\\s)?(?:(?:this|(?:the\\s)?(?:coming|next|following)|the)\\s)?(?<season>spring|summer|autumn|winter|(?<!\\bthe\\s)fall)${YEAR_BESIDE}(?=[\\s.!?]*$)`,
  ({ season, ...words }, today) => {
    const name = SEASONS[season ?? ''];
    if (name === undefined) return undefined;
    const [month, day] = BEGINS[name];
    const named = yearBeside(words, today);
    const thisYears = DateTime.utc(named ?? today.year, month, day);
    const sun = named === undefined && thisYears < today ? thisYears.plus({ years: 1 }) : thisYears;
    return periodDate(sun, [sun.set({ day: 1 })]);
  },
);

const SEASONS: Readonly<Record<string, keyof typeof BEGINS>> = {
  spring: 'spring',
  vernal: 'spring',
  summer: 'summer',
  autumn: 'autumn',
  autumnal: 'autumn',
  fall: 'autumn',
  winter: 'winter',
};
