import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { rule, type Said } from '../../rule.ts';
import { AMERICAN_HOLIDAYS, FIXED_HOLIDAYS } from './fixed-holidays.ts';
import { MOVING_HOLIDAYS } from './moving-holidays.ts';

type InYear = (year: number) => DateTime | undefined;

/** "christmas eve", "next easter", "black friday 2027", "valentine's day next year", "new years". */
export function holidays(isAmerican: boolean): Parser {
  const all = holidaysByName(isAmerican);
  const names = namesOf(isAmerican)
    .sort((a, b) => b.length - a.length)
    .map(asPattern);
  return rule(
    'holidays',
    `(?:(?<before>this(?:\\scoming)?|next|coming|upcoming|the)\\s)?(?:(?<name>${names.join('|')})|(?<newYears>new\\syear'?s))(?!\\s(?:day|eve)\\b)(?:,?\\s(?:of\\s|in\\s)?(?<year>\\d{4})(?!\\s?h)|\\s(?:of\\s)?(?<which>this|next)\\syear)?`,
    ({ before, name, newYears, year, which }, today) => {
      if (newYears !== undefined) return year === undefined ? newYear(today) : undefined;
      const inYear = all.get(plain(name ?? ''));
      if (inYear === undefined) return undefined;
      if (year !== undefined) return said(inYear(Number(year)));
      if (which !== undefined) return said(inYear(today.year + (which === 'next' ? 1 : 0)));
      return upcoming(inYear, today, before === 'next');
    },
  );
}

/** "Next christmas" while this year's is to come can be either. */
function upcoming(inYear: InYear, today: DateTime, isNext: boolean): Said | undefined {
  const thisYears = inYear(today.year);
  const nextYears = inYear(today.year + 1);
  if (thisYears === undefined || thisYears < today) return said(nextYears);
  return isNext && nextYears !== undefined ? said(thisYears, nextYears) : said(thisYears);
}

/** "New year's" is the eve or the day. */
function newYear(today: DateTime): Said | undefined {
  return said(DateTime.utc(today.year + 1, 1, 1), DateTime.utc(today.year, 12, 31));
}

function said(date: DateTime | undefined, other?: DateTime): Said | undefined {
  if (date === undefined) return undefined;
  const { year, month, day } = date;
  return other === undefined
    ? { year, month, day }
    : { year, month, day, marks: [`or/${other.toFormat('yyyy-MM-dd')}`] };
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
