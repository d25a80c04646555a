import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import type { Meaning } from '../../piece.ts';
import { rule } from '../../rule.ts';
import { AMERICAN_HOLIDAYS, FIXED_HOLIDAYS } from './fixed-holidays.ts';
import { MOVING_HOLIDAYS, TWO_DAYS_ELSEWHERE } from './moving-holidays.ts';

/** 29 February comes every four years, and eight years apart around 2100. */
const YEARS_AHEAD = 9;

type InYear = (year: number) => DateTime | undefined;

/** "christmas eve", "next easter", "black friday 2027", "valentine's day next year", "new years". */
export function holidays(isAmerican: boolean): Parser {
  const all = holidaysByName(isAmerican);
  const elsewhere = new Map(Object.entries(TWO_DAYS_ELSEWHERE).map(([name, pair]) => [plain(name), pair]));
  const names = namesOf(isAmerican)
    .sort((a, b) => b.length - a.length)
    .map(asPattern);
  return rule(
    `(?:(?<lead>this|next)\\syear(?:'s|,)?\\s(?:on\\s)?)?(?:(?<before>this(?:\\scoming)?|next|(?:the\\s)?(?:coming|upcoming)|the)\\s)?(?:(?<name>${names.join('|')})|(?<newYears>new\\syear'?s))(?<eve>\\seve(?!\\sof))?(?!\\sday\\b)(?:,?\\s(?:of\\s|in\\s)?(?<year>\\d{4})(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?:of\\s)?(?<which>this|next)\\syear)?`,
    ({ lead, before, name, eve, newYears, year, which: beside }, today) => {
      const which = beside ?? lead;
      if (newYears !== undefined) return year === undefined ? newYear(today) : undefined;
      const named = all.get(plain(name ?? ''));
      if (named === undefined) return undefined;
      const inYear = eve === undefined ? named : eveOf(named);
      const pair = isAmerican || eve !== undefined ? undefined : elsewhere.get(plain(name ?? ''));
      if (year !== undefined || which !== undefined) {
        const meant = year === undefined ? today.year + (which === 'next' ? 1 : 0) : Number(year);
        return pair === undefined ? said(inYear(meant)) : said(pair[0](meant), pair[1](meant));
      }
      if (pair !== undefined) return said(comingUp(pair[0], today)[0], comingUp(pair[1], today)[0]);
      return upcoming(inYear, today, before === 'next');
    },
  );
}

function eveOf(inYear: InYear): InYear {
  return (year) => inYear(year)?.minus({ days: 1 });
}

/** "Next christmas" while this year's is to come can be either. */
function upcoming(inYear: InYear, today: DateTime, isNext: boolean): Meaning | undefined {
  const [first, second] = comingUp(inYear, today);
  return isNext && first?.year === today.year ? said(first, second) : said(first);
}

function comingUp(inYear: InYear, today: DateTime): readonly DateTime[] {
  return Array.from({ length: YEARS_AHEAD }, (_, ahead) => inYear(today.year + ahead))
    .filter((date) => date !== undefined)
    .filter((date) => date.isValid && date >= today);
}

/** "New year's" is the eve or the day. */
function newYear(today: DateTime): Meaning | undefined {
  return said(DateTime.utc(today.year + 1, 1, 1), DateTime.utc(today.year, 12, 31));
}

function said(date: DateTime | undefined, other?: DateTime): Meaning | undefined {
  if (date === undefined) return undefined;
  const { year, month, day } = date;
  return other === undefined ? { year, month, day } : { year, month, day, otherDates: [other] };
}

function namesOf(isAmerican: boolean): string[] {
  return [FIXED_HOLIDAYS, MOVING_HOLIDAYS, isAmerican ? AMERICAN_HOLIDAYS : {}].flatMap(Object.keys);
}

function holidaysByName(isAmerican: boolean): Map<string, InYear> {
  const dates = { ...FIXED_HOLIDAYS, ...(isAmerican ? AMERICAN_HOLIDAYS : {}) };
  const fixed = Object.entries(dates).map(([name, [month, day]]) => {
    const inYear: InYear = (year) => DateTime.utc(year, month, day);
    return [plain(name), inYear] as const;
  });
  const moving = Object.entries(MOVING_HOLIDAYS).map(([name, inYear]) => [plain(name), inYear] as const);
  return new Map([...fixed, ...moving]);
}

/** A name as it is looked up: no apostrophes, dots, hyphens or possessive s, and "st" for saint. */
function plain(name: string): string {
  return name
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s-]+/g, ' ')
    .replaceAll(/s(?= |$)/g, '')
    .replace(/^saint /, 'st ');
}

/** "presidents day", "mother day": with the s and the apostrophe wherever people put them; a blank may be a hyphen. */
function asPattern(name: string): string {
  return name
    .replace(/^st /, '(?:st\\.?|saint) ')
    .replaceAll(/'s?|s'?(?= |$)/g, "(?:'?s'?)?")
    .replace("hallow(?:'?s'?)?een", 'halloween')
    .replaceAll(' ', '[\\s-]');
}
