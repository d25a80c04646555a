import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { feasts } from './feasts.ts';
import { japaneseNumber, NUMBER } from './japanese-numbers.ts';

/** The year before the first of the era that began in 2019. */
const REIWA = 2018;

/** 3月25日, 2027年3月25日, 令和9年3月25日. */
const dates = ruleWithoutSpaces(
  `(?:(?:(?<year>\\d{4})|令和(?<reiwa>${NUMBER}|元))年の?)?(?<month>${NUMBER})月の?(?<day>${NUMBER})日(?!間|後|前|以内)`,
  ({ year, reiwa, month, day }) => {
    const era = reiwa === '元' ? 1 : japaneseNumber(reiwa);
    return dateIn(japaneseNumber(month), japaneseNumber(day), era === undefined ? year : String(REIWA + era));
  },
);

/** 25日, 今月の27日, 来月の二十日. */
const daysOfMonth = ruleWithoutSpaces(
  `(?:(?<this>今月)の?|(?<next>来月|次の月|翌月)の?)?(?<day>${NUMBER})日(?!間|後|前|以内|目|と|で)`,
  ({ this: these, next, day }, today) => {
    const number = japaneseNumber(day);
    if (number === undefined || number < 1 || number > 31) return undefined;
    if (these === undefined && next === undefined) return { day: number };
    const month = today.startOf('month').plus({ months: next === undefined ? 0 : 1 });
    return { year: month.year, month: month.month, day: number };
  },
);

/** "3/25", "2027/3/25", "2027.3.25": the month comes first. */
const slashed = ruleWithoutSpaces(
  '(?<![/.\\d])(?:(?:(?<year>\\d{4})/)?(?<month>\\d{1,2})/(?<day>\\d{1,2})|(?<year>\\d{4})\\.(?<month>\\d{1,2})\\.(?<day>\\d{1,2}))(?![/.\\d])',
  ({ year, month, day }): Meaning | undefined => {
    const asWritten = dateIn(Number(month), Number(day), year);
    const turned = dateIn(Number(day), Number(month), year);
    if (year !== undefined || asWritten === undefined || turned === undefined || month === day)
      return asWritten ?? turned;
    return { ...asWritten, isEitherOrder: true };
  },
);

function dateIn(month?: number, day?: number, year?: string): Meaning | undefined {
  if (month === undefined || day === undefined || month < 1 || month > 12 || day < 1 || day > 31)
    return undefined;
  return year === undefined ? { month, day } : { month, day, year: Number(year) };
}

export const japaneseDates: readonly Parser[] = [dates, daysOfMonth, slashed, feasts];
