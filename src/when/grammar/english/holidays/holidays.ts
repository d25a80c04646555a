import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { easterSunday, type InYear, nthOf, onDates } from '../../feasts.ts';
import { dateOf, eitherDateOf, type Meaning } from '../../piece.ts';
import { rule } from '../../rule.ts';
import { FIXED_HOLIDAYS } from './fixed-holidays.ts';
import { MOVING_HOLIDAYS, TWO_DAYS_ELSEWHERE } from './moving-holidays.ts';

/** 29 February comes every four years, and once only after eight years. */
const YEARS_AHEAD = 9;

/** "christmas eve", "next easter", "black friday 2027", "valentine's day next year", "new years". */
export function holidays(isAmerican: boolean): Parser {
  const byName = holidaysByName(isAmerican);
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(patternOf);
  const days = new Map([...byName].map(([name, inYear]) => [plain(name), inYear]));
  const pairs = new Map(
    isAmerican ? [] : Object.entries(TWO_DAYS_ELSEWHERE).map(([name, pair]) => [plain(name), pair]),
  );
  return rule(
    `(?:(?<lead>this|next)\\syear(?:'s|,)?\\s(?:on\\s)?)?(?:(?<before>this(?:\\scoming)?|next|(?:the\\s)?(?:coming|upcoming)|the)\\s)?(?:(?<name>${names.join('|')})|(?<newYears>new\\syear'?s))(?<eve>\\seve(?!\\sof))?(?!\\sday\\b)(?:,?\\s(?:of\\s|in\\s)?(?<year>\\d{4})(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?:of\\s)?(?<which>this|next)\\syear)?`,
    ({ lead, before, name, eve, newYears, year, which = lead }, today) => {
      // "New year's" is the eve or the day.
      if (newYears !== undefined)
        return year === undefined
          ? either(DateTime.utc(today.year + 1), DateTime.utc(today.year, 12, 31))
          : undefined;
      const inYear = days.get(plain(name ?? ''));
      if (inYear === undefined) return undefined;
      const pair = eve === undefined ? pairs.get(plain(name ?? '')) : undefined;
      const each: readonly InYear[] = pair ?? [eve === undefined ? inYear : eveOf(inYear)];
      if (year !== undefined || which !== undefined) {
        const named = year === undefined ? today.year + (which === 'next' ? 1 : 0) : Number(year);
        return either(...each.map((dateIn) => dateIn(named)));
      }
      const [first, second] = each.map((dateIn) => comingDays(dateIn, today));
      // "Next christmas" before christmas can be this year's or next year's.
      if (second === undefined && before === 'next' && first?.[0]?.year === today.year)
        return either(first[0], first[1]);
      return either(first?.[0], second?.[0]);
    },
  );
}

function eveOf(inYear: InYear): InYear {
  return (year) => inYear(year)?.minus({ days: 1 });
}

function comingDays(inYear: InYear, today: DateTime): readonly DateTime[] {
  return Array.from({ length: YEARS_AHEAD }, (_, ahead) => inYear(today.year + ahead))
    .filter((date) => date !== undefined)
    .filter((date) => date.isValid && date >= today);
}

function either(date?: DateTime, other?: DateTime): Meaning | undefined {
  return date && eitherDateOf(date, other === undefined ? [] : [other]);
}

function holidaysByName(isAmerican: boolean): ReadonlyMap<string, InYear> {
  // Other countries have their own.
  const american = isAmerican ? onDates('07-04 independence day') : [];
  return new Map(
    [...FIXED_HOLIDAYS, ...american, ...Object.entries(MOVING_HOLIDAYS)].flatMap(([names, inYear]) =>
      names.split('|').map((name) => [name, inYear] as const),
    ),
  );
}

/** A name without apostrophes, dots, hyphens and plural s, and with "st" for saint. */
function plain(name: string): string {
  return name
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s-]+/g, ' ')
    .replaceAll(/s(?= |$)/g, '')
    .replace(/^saint /, 'st ')
    .replace(/^intl /, 'international ');
}

/** "presidents day", "president's day", "mother day": the s and the apostrophe wherever people write them. */
function patternOf(name: string): string {
  return name
    .replace(/^st /, '(?:st\\.?|saint) ')
    .replaceAll(/'s?|s'?(?= |$)/g, "(?:'?s'?)?")
    .replace("hallow(?:'?s'?)?een", 'halloween')
    .replace(/^international /, "int(?:ernational|'?l) ")
    .replaceAll(' ', '[\\s-]');
}

const MONDAY = 1;
const SATURDAY = 6;

/** "the next bank holiday", "bank holiday monday", "easter bank holiday": England and Wales (gov.uk/bank-holidays). */
export const bankHolidays = rule(
  '(?:the\\s)?(?:(?<easter>easter)\\s|(?:next|coming|upcoming|this|following)\\s)?bank\\sholiday(?<monday>\\smonday)?(?!\\s(?:weekend|week))',
  ({ easter, monday }, today) => {
    const years = [today.year, today.year + 1];
    const open = (days: readonly DateTime[]) => days.filter((day) => day >= today);
    if (easter !== undefined) {
      const [friday, easterMonday] = open(years.flatMap(ofEaster));
      if (friday === undefined || easterMonday === undefined) return undefined;
      return monday === undefined && friday.weekday !== MONDAY
        ? eitherDateOf(friday, [easterMonday])
        : dateOf(friday.weekday === MONDAY ? friday : easterMonday);
    }
    const days = open(years.flatMap(bankHolidaysIn));
    const first = days.find((day) => monday === undefined || day.weekday === MONDAY);
    return first === undefined ? undefined : dateOf(first);
  },
);

function ofEaster(year: number): readonly DateTime[] {
  const sunday = easterSunday(year);
  return [sunday.minus({ days: 2 }), sunday.plus({ days: 1 })];
}

function bankHolidaysIn(year: number): readonly DateTime[] {
  const christmas = DateTime.utc(year, 12, 25);
  const free = [0, 1, 2, 3].map((days) => christmas.plus({ days })).filter((day) => !isWeekend(day));
  const days = [
    weekdayFrom(DateTime.utc(year, 1, 1)),
    ...ofEaster(year),
    nthOf(1, 'monday', 5)(year),
    nthOf(-1, 'monday', 5)(year),
    nthOf(-1, 'monday', 8)(year),
    // Christmas Day and Boxing Day, or their substitutes after a weekend.
    ...free.slice(0, 2),
  ];
  return days.filter((day) => day !== undefined);
}

function weekdayFrom(day: DateTime): DateTime {
  return isWeekend(day) ? weekdayFrom(day.plus({ days: 1 })) : day;
}

function isWeekend(day: DateTime): boolean {
  return day.weekday >= SATURDAY;
}
