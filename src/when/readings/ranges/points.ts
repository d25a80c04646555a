import { DateTime } from 'luxon';
import { type DayExpression, type Expression, saysTimeOnly } from '../../expression.ts';
import { PARTS_OF_DAY, type PartOfDay } from '../../grammar/piece.ts';
import { readWords } from '../../grammar/read-words.ts';
import { oncePerRequest } from '../../limits.ts';
import { findCandidates } from '../../policy/candidates.ts';
import { candidateMinutes } from '../../policy/minutes.ts';
import { perLanguage, type ReadingLexicon } from '../reading-lexicon.ts';
import {
  calendarPeriods,
  countedPeriods,
  namedMonths,
  type PeriodRule,
  partsOfYear,
  pastDays,
  weeksOfDays,
} from './periods.ts';
import { MINUTE_MS, type Named, once, type RangeContext, wholeDays } from './range.ts';

/** The first rule that knows the words decides. */
const RULES: readonly PeriodRule[] = [
  countedPeriods,
  calendarPeriods,
  partsOfYear,
  namedMonths,
  pastDays,
  weeksOfDays(daysNamed),
];

/** All that words can mean without "from", "to" and the like: a stretch, a day, a time, or a day and a time. */
export function pointsIn(
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly PointExpression[] {
  const { instant, zone, locale, limits } = context;
  return oncePer(lexicon)(
    limits,
    [instant, zone, locale, words].join(' '),
    () => stretchesNamed(words, lexicon, context) ?? dayPointsIn(words.trim(), context),
  );
}

/** The ends of a range are split off in several places. */
const oncePer = perLanguage(() => oncePerRequest<readonly PointExpression[]>());

/** The stretches among them. Undefined if no rule knows the words. */
export function stretchesNamed(
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
): readonly PointExpression[] | undefined {
  const plain = words.trim();
  if (plain === '') return [];
  for (const rule of RULES) {
    const named = rule(plain, lexicon, context);
    if (named !== undefined) return named.map((day) => ({ day }));
  }
  return undefined;
}

function daysNamed(words: string, context: RangeContext): readonly Named[] {
  const points = dayPointsIn(words, context);
  return points.flatMap(({ day, minutes }) => (day === undefined || minutes !== undefined ? [] : [day]));
}

/** The weeks or months, and the years, in which a day is looked for, counted from the current one. */
const NEARBY = [-2, -1, 0, 1, 2];
const YEARS = [-1, 0, 1, 2];

export interface PointExpression {
  day?: Named;
  /** Minutes of the day, the likeliest first. */
  minutes?: readonly number[];
}

/** All days and times that the words can mean, read by the grammar of moments. */
export function dayPointsIn(words: string, context: RangeContext): readonly PointExpression[] {
  const read = readWords(words, context.now.startOf('day'), context);
  if (read.kind === 'not-understood' || !read.isWhole) return [];
  return read.expressions.flatMap((expression) => pointsOf(expression, context));
}

function pointsOf(expression: Expression, context: RangeContext): readonly PointExpression[] {
  const isPeriod = expression.day?.kind === 'date' && expression.day.isPeriod;
  if (isPeriod || expression.minutePastHour !== undefined || expression.isSameTime) return [];
  const minutes = expression.time === undefined ? undefined : candidateMinutes(expression.time, expression);
  if (minutes !== undefined && saysTimeOnly(expression)) return [{ minutes }];
  const days = daysOf(expression, context);
  if (minutes !== undefined) return days.map((day) => ({ day, minutes }));
  const { part } = expression;
  return days.map((day) => ({ day: part === undefined ? day : partOf(day, part) }));
}

function partOf(day: Named, part: PartOfDay): Named {
  const [first, last] = PARTS_OF_DAY[part].stretch;
  const stretches = day.stretches.map(({ from, to }) => ({
    from: { wall: from.wall + first * 60 * MINUTE_MS },
    to: last === 24 ? to : { wall: from.wall + last * 60 * MINUTE_MS },
  }));
  return { ...day, stretches };
}

function daysOf(expression: Expression, context: RangeContext): readonly Named[] {
  const { day, fromNow, plus, beside, orFromNow } = expression;
  const isCounted = [fromNow, plus, beside, orFromNow].some((each) => each !== undefined);
  const isChosen = day?.kind === 'weekday' && day.week !== undefined;
  if (isCounted || isChosen || (day?.kind === 'date' && day.otherDates !== undefined))
    return meantDays(expression, context);
  return day === undefined ? once(wholeDays(context.now)) : namedDays(day, context.now);
}

/** Days that only the policy for moments can find. Words that count hours name no day. */
function meantDays(expression: Expression, { now }: RangeContext): readonly Named[] {
  const { time: _, part: __, ...dayOnly } = expression;
  const { walls } = findCandidates(dayOnly, { now, today: now.startOf('day') });
  const days = walls.flatMap(({ wall, elapsed }) => (wall === undefined || elapsed !== 0 ? [] : [wall]));
  return once(...days.map((wall) => wholeDays(DateTime.fromMillis(wall, { zone: 'utc' }))));
}

function namedDays(day: DayExpression, now: DateTime): readonly Named[] {
  if (day.kind === 'weekday') {
    const nearest = now.startOf('week').plus({ days: (day.weekday + 6) % 7 });
    return [{ stretches: NEARBY.map((weeks) => wholeDays(nearest.plus({ weeks }))), comes: 'often' }];
  }
  if (day.kind === 'day-of-month') {
    const { day: dayOfMonth } = day;
    const months = NEARBY.map((ahead) => now.startOf('month').plus({ months: ahead }));
    const dates = months.map((month) => DateTime.utc(month.year, month.month, dayOfMonth));
    return daysThatCome(dates, day.weekday, 'often').map((each) => ({ ...each, dayOfMonth }));
  }
  const { year, weekday } = day;
  const orders = day.isEitherOrder ? [day, { day: day.month, month: day.day }] : [day];
  const years = year === undefined ? YEARS.map((ahead) => now.year + ahead) : [year];
  return orders.flatMap((order) => {
    const dates = years.map((each) => DateTime.utc(each, order.month, order.day));
    return daysThatCome(dates, weekday, year === undefined ? 'yearly' : 'once');
  });
}

/** The dates that are in the calendar, and on the weekday if there is one. */
function daysThatCome(
  dates: readonly DateTime[],
  weekday: number | undefined,
  comes: Named['comes'],
): readonly Named[] {
  const days = dates.filter((date) => date.isValid && (weekday ?? date.weekday % 7) === date.weekday % 7);
  return days.length === 0 ? [] : [{ stretches: days.map((day) => wholeDays(day)), comes }];
}
