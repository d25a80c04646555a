import { DateTime } from 'luxon';
import { spelled } from '../../grammar/european/spelling.ts';
import { alone, perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';
import type { Period } from '../words/reading-words.ts';
import { type ClosedStretch, type Named, once, type RangeContext, weekStart, wholeDays } from './stretch.ts';

/** All that words for a stretch of time can mean, or undefined if they are words of another kind. */
export type PeriodRule = (
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
) => readonly Named[] | undefined;

const SATURDAY = 6;

/** The years in which a month, quarter or week without a year is looked for, counted from this year. */
const YEARS = [-1, 0, 1, 2];

const YEAR = /^(?:in\s|the\s|year\s)*(?<year>20\d\d)$/i;
const ISO_MONTH = /^(?<year>20\d\d)[-/](?<month>0?[1-9]|1[0-2])$/;

const patternsOf = perLanguage((lexicon) => {
  const { periods, quarters, months, weekdays, pastDays, words } = lexicon;
  const { calendarWeek, weekOf, lastNamed } = words.stretches;
  const lastOf = (name: string): RegExp =>
    alone(lexicon, lastNamed.map((template) => spelled(template).replace('§', name)).join('|'));
  const ofYear = "(?:,?\\s(?:[^\\s\\d]{1,3}\\s)?(?<year>20\\d\\d)|\\s?'(?<short>\\d\\d))?";
  const quarter = `(?:(?<before>20\\d\\d)[\\s-]?)?(?<quarter>${quarters.pattern})(?:-(?<after>20\\d\\d))?`;
  const month = `(?<month>${months.pattern})\\.?`;
  return {
    period: alone(lexicon, `(?<period>${periods.pattern})`),
    quarter: alone(lexicon, `${quarter}${ofYear}`),
    week: alone(lexicon, `(?:${spelled(calendarWeek)})${ofYear}`),
    month: alone(lexicon, `${month}${ofYear}`),
    lastMonth: lastOf(month),
    pastDay: alone(lexicon, `(?<day>${pastDays.pattern})`),
    lastWeekday: lastOf(`(?<weekday>${weekdays.pattern})\\.?`),
    weekOf: alone(lexicon, `(?:${spelled(weekOf)})\\s(?<day>.+)`),
  };
});

/** "this week", "next month", "last quarter", "the weekend", "the rest of the year". */
export const relativePeriods: PeriodRule = (words, lexicon, context) => {
  const period = lexicon.periods.meaningOf(patternsOf(lexicon).period.exec(words)?.groups?.period);
  if (period === undefined) return undefined;
  const { now } = context;
  const stretch = periodOf(period, context);
  if (period.isRest === true)
    return once({ from: { wall: now.startOf('minute').toMillis() }, to: stretch.to });
  // Before Saturday, "next weekend" is the coming weekend to some people, and the one after it to others.
  const isOpen = period.unit === 'weekend' && period.ahead === 1 && now.weekday < SATURDAY;
  return isOpen ? once(periodOf({ ...period, ahead: 0 }, context), stretch) : once(stretch);
};

function periodOf({ unit, ahead }: Period, { now, firstWeekday }: RangeContext): ClosedStretch {
  if (unit === 'week') return weekFrom(weekStart(now, firstWeekday).plus({ weeks: ahead }));
  if (unit === 'weekend') {
    const saturday = now.startOf('week').plus({ weeks: ahead, days: SATURDAY - 1 });
    return wholeDays(saturday, saturday.plus({ days: 1 }));
  }
  return unitFrom(now.startOf(unit).plus({ [`${unit}s`]: ahead }), unit);
}

/** "2027", "q1", "the third quarter of 2027", "week 48". */
export const partsOfYear: PeriodRule = (words, lexicon, { now }) => {
  const year = YEAR.exec(words)?.groups?.year;
  if (year !== undefined) return once(unitFrom(DateTime.utc(Number(year)), 'year'));
  const { quarter, week } = patternsOf(lexicon);
  const quarterFound = quarter.exec(words)?.groups;
  const nth = lexicon.quarters.meaningOf(quarterFound?.quarter);
  if (nth !== undefined)
    return inYears(quarterFound, now, (each) => unitFrom(DateTime.utc(each, nth * 3), 'quarter'));
  const weekFound = week.exec(words)?.groups;
  return weekFound && inYears(weekFound, now, (each) => isoWeek(each, Number(weekFound.week)));
};

/** "november", "nov 2027", "2027-11", "last november". */
export const namedMonths: PeriodRule = (words, lexicon, { now }) => {
  const monthOf = (year: number, month: number): ClosedStretch =>
    unitFrom(DateTime.utc(year, month), 'month');
  const iso = ISO_MONTH.exec(words)?.groups;
  if (iso !== undefined) return once(monthOf(Number(iso.year), Number(iso.month)));
  const patterns = patternsOf(lexicon);
  const last = lexicon.months.meaningOf(patterns.lastMonth.exec(words)?.groups?.month);
  if (last !== undefined) return once(monthOf(now.year - (last < now.month ? 0 : 1), last));
  const found = patterns.month.exec(words)?.groups;
  const month = lexicon.months.meaningOf(found?.month);
  return month === undefined ? undefined : inYears(found, now, (year) => monthOf(year, month));
};

/** The year that the words name, or each year close by. */
function inYears(
  groups: Readonly<Record<string, string | undefined>> | undefined,
  now: DateTime,
  stretchIn: (year: number) => ClosedStretch | undefined,
): readonly Named[] {
  const { before, after, year, short } = groups ?? {};
  const named = before ?? after ?? year ?? (short && `20${short}`);
  const years = named === undefined ? YEARS.map((ahead) => now.year + ahead) : [Number(named)];
  const stretches = years.map(stretchIn).filter((each) => each !== undefined);
  return stretches.length === 0 ? [] : [{ stretches, comes: named === undefined ? 'yearly' : 'once' }];
}

/** "yesterday", "last friday": days that no future moment can name. */
export const pastDays: PeriodRule = (words, lexicon, { now }) => {
  const { pastDay, lastWeekday } = patternsOf(lexicon);
  const ahead = lexicon.pastDays.meaningOf(pastDay.exec(words)?.groups?.day);
  if (ahead !== undefined) return once(wholeDays(now.plus({ days: ahead })));
  const weekday = lexicon.weekdays.meaningOf(lastWeekday.exec(words)?.groups?.weekday);
  if (weekday === undefined) return undefined;
  return once(wholeDays(now.minus({ days: (now.weekday - weekday + 7) % 7 || 7 })));
};

/** "the week of 7 december": the week with this day. */
export const weeksOfDays =
  (readDay: (words: string, context: RangeContext) => readonly Named[]): PeriodRule =>
  (words, lexicon, context) => {
    const day = patternsOf(lexicon).weekOf.exec(words)?.groups?.day;
    if (day === undefined) return undefined;
    const weekAround = (wall: number): ClosedStretch =>
      weekFrom(weekStart(DateTime.fromMillis(wall, { zone: 'utc' }), context.firstWeekday));
    return readDay(day, context).map((named) => ({
      ...named,
      stretches: named.stretches.map(({ from }) => weekAround(from.wall)),
    }));
  };

/** ISO weeks begin on Monday everywhere. Some years have no week 53. */
function isoWeek(weekYear: number, weekNumber: number): ClosedStretch | undefined {
  const first = DateTime.fromObject({ weekYear, weekNumber, weekday: 1 }, { zone: 'utc' });
  return first.isValid ? weekFrom(first) : undefined;
}

function weekFrom(first: DateTime): ClosedStretch {
  return wholeDays(first, first.plus({ days: 6 }));
}

function unitFrom(day: DateTime, unit: 'month' | 'quarter' | 'year'): ClosedStretch {
  return wholeDays(day.startOf(unit), day.endOf(unit));
}
