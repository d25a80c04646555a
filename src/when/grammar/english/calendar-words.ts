import type { DateTime } from 'luxon';
import { anyOf } from './numbers.ts';

/** The names of each weekday from Sunday (0, as in chrono), and of each month. */
export const WEEKDAY_NAMES = namesIn(
  'sunday|sun monday|mon tuesday|tues|tue wednesday|weds|wed thursday|thurs|thur|thu friday|fri saturday|sat',
);
export const MONTH_NAMES = namesIn(
  `january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct
   november|nov december|dec`,
);

const weekdays = indexOf(WEEKDAY_NAMES, 0);
const months = indexOf(MONTH_NAMES, 1);

/** A weekday's full name. */
export const WEEKDAY_NAME = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
export const WEEKDAY = `${anyOf(weekdays.keys())}\\.?`;
export const MONTH = `${anyOf(months.keys())}\\.?`;

export function weekdayOf(word: string | undefined): number | undefined {
  return word === undefined ? undefined : weekdays.get(word.replace('.', ''));
}

export function monthOf(word: string | undefined): number | undefined {
  return word === undefined ? undefined : months.get(word.replace('.', ''));
}

function namesIn(words: string): readonly (readonly string[])[] {
  return words.split(/\s+/).map((names) => names.split('|'));
}

function indexOf(lists: readonly (readonly string[])[], first: number): ReadonlyMap<string, number> {
  return new Map(lists.flatMap((names, index) => names.map((name) => [name, index + first] as const)));
}

/** The date in that year. Without a year, this year's date, or next year's once it's over. */
export function comingDate(
  today: DateTime,
  year: number | undefined,
  dateIn: (year: number) => DateTime | undefined,
): DateTime | undefined {
  const date = dateIn(year ?? today.year);
  const isOver = year === undefined && date !== undefined && date < today;
  return isOver ? dateIn(today.year + 1) : date;
}
