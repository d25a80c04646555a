import { anyOf } from './numbers.ts';

/** Sunday is 0, as chrono counts. */
const WEEKDAYS: Readonly<Record<string, number>> = {
  sunday: 0,
  sun: 0,
  monday: 1,
  mon: 1,
  tuesday: 2,
  tues: 2,
  tue: 2,
  wednesday: 3,
  weds: 3,
  wed: 3,
  thursday: 4,
  thurs: 4,
  thur: 4,
  thu: 4,
  friday: 5,
  fri: 5,
  saturday: 6,
  sat: 6,
};

const MONTHS: Readonly<Record<string, number>> = {
  january: 1,
  jan: 1,
  february: 2,
  feb: 2,
  march: 3,
  mar: 3,
  april: 4,
  apr: 4,
  may: 5,
  june: 6,
  jun: 6,
  july: 7,
  jul: 7,
  august: 8,
  aug: 8,
  september: 9,
  sept: 9,
  sep: 9,
  october: 10,
  oct: 10,
  november: 11,
  nov: 11,
  december: 12,
  dec: 12,
};

export const WEEKDAY_NAME = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
export const WEEKDAY = `${anyOf(Object.keys(WEEKDAYS))}\\.?`;
export const MONTH = `${anyOf(Object.keys(MONTHS))}\\.?`;

export function weekdayOf(word: string | undefined): number | undefined {
  return word === undefined ? undefined : WEEKDAYS[word.replace('.', '')];
}

export function monthOf(word: string | undefined): number | undefined {
  return word === undefined ? undefined : MONTHS[word.replace('.', '')];
}
