import { DateTime } from 'luxon';
import {
  type DateExpression,
  type DayExpression,
  dateOrdersOf,
  type Expression,
  saysTimeOnly,
} from '../../expression.ts';
import { ORDINAL_ENDING, type Period, spelled } from '../../grammar/european/vocabulary.ts';
import { PARTS_OF_DAY, type PartOfDay } from '../../grammar/piece.ts';
import { lastDay, namedPart } from '../../grammar/places.ts';
import { readWords } from '../../grammar/read-words.ts';
import type { Groups } from '../../grammar/rule.ts';
import { oncePerRequest } from '../../limits.ts';
import { comesYearly, datesWith, findCandidates } from '../../policy/candidates.ts';
import { candidateMinutes } from '../../policy/minutes.ts';
import { asCalendar, DAY_MS, MINUTE_MS, midnightOf } from '../../zones/wall-clock.ts';
import { alone, perLanguage } from '../question.ts';
import { countedPeriods, type PeriodRule } from './counted-periods.ts';
import {
  type ClosedStretch,
  chooseStretch,
  isoWeek,
  type Named,
  once,
  type RangeContext,
  unitFrom,
  weekFrom,
  weekStart,
  wholeDays,
} from './range.ts';

const SATURDAY = 6;

/** The years in which a day, week, month or quarter without a year is looked for, counted from this year. */
const YEARS = [-1, 0, 1, 2];

const YEAR = /^(?:in\s|the\s|year\s)*(?<year>20\d\d)$/i;
const ISO_MONTH = /^(?<year>20\d\d)[-/](?<month>0?[1-9]|1[0-2])$/;

const patternsOf = perLanguage((lexicon) => {
  const { yearParts, months, pastDays, nouns, words } = lexicon;
  const { stretches } = words;
  const last = stretches.ofCalendar.filter(([, periods]) => periods === -1).map(([template]) => template);
  const { lastNamed = last } = stretches;
  const named = (templates: readonly string[], name: string): RegExp =>
    alone(lexicon, templates.map((template) => spelled(template).replace('§', name)).join('|'));
  const noun = `(?<noun>${nouns.pattern})`;
  const ofYear = "(?:,?\\s(?:[^\\s\\d]{1,3}\\s)?(?<year>20\\d\\d)|\\s?'(?<short>\\d\\d))?";
  const part = `(?:(?<before>20\\d\\d)[\\s-]?)?(?<part>${yearParts.pattern})(?:-(?<after>20\\d\\d))?`;
  const month = `(?<month>${months.pattern})\\.?`;
  const week = spelled(stretches.calendarWeek).replace('#', '(?<week>[1-5]?\\d)');
  return {
    calendar: [
      ...stretches.ofCalendar.map(([template, periods]) => [named([template], noun), periods] as const),
      [alone(lexicon, `(?<noun>${spelled(stretches.nouns.weekend)})`), 0] as const,
    ],
    rest: named([stretches.restOf ?? '(?!)'], noun),
    parts: [...stretches.halves, ...(stretches.thirds ?? [])].map((each) => named([each], '(?<name>.+?)')),
    noun: alone(lexicon, noun),
    part: alone(lexicon, `${part}${ofYear}`),
    week: alone(lexicon, `(?<before>20\\d\\d)-?w(?<week>[0-5]\\d)|${week}${ofYear}`),
    month: alone(lexicon, `${month}${ofYear}`),
    pastDay: alone(lexicon, `(?<day>${pastDays.pattern})`),
    lastNamed: named(lastNamed, '(?<name>.+)'),
    weekOf: alone(
      lexicon,
      `(?:${spelled(stretches.weekOf)})\\s(?<day>.+)|(?<feast>.+)\\s${spelled(stretches.nouns.week)}`,
    ),
    nthWeek: alone(
      lexicon,
      `(?:(?<nth>${lexicon.ordinals.pattern})|(?<number>[1-4])${ORDINAL_ENDING})\\s${spelled(stretches.nouns.week)}\\s(?:${spelled(words.repeats.ofMonth[0])}\\s)?(?<name>.+)`,
    ),
  };
});

/** "this week", "next month", "last quarter", "the weekend", "the rest of the year". */
const calendarPeriods: PeriodRule = (words, context) => {
  const { now, lexicon } = context;
  const { calendar, rest } = patternsOf(lexicon);
  const restOf = lexicon.nouns.meaningOf(rest.exec(words)?.groups?.noun);
  if (restOf !== undefined)
    return once({ from: { wall: now.startOf('minute').toMillis() }, to: periodOf(restOf, 0, context).to });
  for (const [pattern, periods] of calendar) {
    const period = lexicon.nouns.meaningOf(pattern.exec(words)?.groups?.noun);
    if (period === undefined) continue;
    // Before Saturday, "next weekend" is the coming weekend to some people, and the one after it to others.
    const isOpen = period === 'weekend' && periods === 1 && now.weekday < SATURDAY;
    const stretch = periodOf(period, periods, context);
    return isOpen ? once(periodOf(period, 0, context), stretch) : once(stretch);
  }
  return undefined;
};

/** Where the parts of a period begin and end, in sixths. */
const STARTS = [0, 3, 0, 4, 2];
const ENDS = [3, 6, 2, 6, 4];

/** "The first half of december", "the second half of the year", "early january". */
const partsOfPeriods: PeriodRule = (words, context) => {
  const { parts, noun } = patternsOf(context.lexicon);
  const place = parts.findIndex((pattern) => pattern.test(words));
  const { name } = parts[place]?.exec(words)?.groups ?? {};
  if (name === undefined) return undefined;
  const period = context.lexicon.nouns.meaningOf(noun.exec(name)?.groups?.noun);
  const whole = period && once(periodOf(period, 0, context));
  const named = whole ?? pointsIn(name, context).flatMap(({ day, minutes }) => (minutes ? [] : (day ?? [])));
  // "Late friday" is a part of the day.
  const isLong = ({ from, to }: ClosedStretch) => to.wall - from.wall > 6 * DAY_MS;
  const partOf = ({ from, to }: ClosedStretch): ClosedStretch => {
    const days = Math.round((to.wall - from.wall) / DAY_MS);
    // Half of a year is six months.
    const at = (sixths = 0) =>
      asCalendar(from.wall).plus(
        days > 300 ? { months: 2 * sixths } : { days: Math.floor((days * sixths) / 6) },
      );
    return wholeDays(at(STARTS[place]), at(ENDS[place]).minus({ days: 1 }));
  };
  if (!named.every(({ stretches }) => stretches.every(isLong))) return undefined;
  return named.map((day) => ({ ...day, stretches: day.stretches.map(partOf) }));
};

function periodOf(period: Period, periods: number, { now, firstWeekday }: RangeContext): ClosedStretch {
  if (period === 'week') return weekFrom(weekStart(now, firstWeekday).plus({ weeks: periods }));
  if (period !== 'weekend') return unitFrom(now.startOf(period).plus({ [`${period}s`]: periods }), period);
  const saturday = now.startOf('week').plus({ weeks: periods, days: SATURDAY - 1 });
  return wholeDays(saturday, saturday.plus({ days: 1 }));
}

/** "2027", "q1", "the third quarter of 2027", "week 48". */
const partsOfYear: PeriodRule = (words, { now, lexicon }) => {
  const year = YEAR.exec(words)?.groups?.year;
  if (year !== undefined) return once(unitFrom(DateTime.utc(Number(year)), 'year'));
  const patterns = patternsOf(lexicon);
  const inPart = patterns.part.exec(words)?.groups;
  const part = lexicon.yearParts.meaningOf(inPart?.part);
  if (part !== undefined)
    return inYears(inPart, now, (each) => {
      const { firstDay } = namedPart(part, now, each);
      return wholeDays(firstDay, lastDay(part.unit, firstDay));
    });
  const week = patterns.week.exec(words)?.groups;
  return week && inYears(week, now, (each) => isoWeek(each, Number(week.week)));
};

/** "november", "nov 2027", "2027-11". */
const namedMonths: PeriodRule = (words, { now, lexicon }) => {
  const monthOf = (year: number, month: number): ClosedStretch =>
    unitFrom(DateTime.utc(year, month), 'month');
  const iso = ISO_MONTH.exec(words)?.groups;
  if (iso !== undefined) return once(monthOf(Number(iso.year), Number(iso.month)));
  const patterns = patternsOf(lexicon);
  const found = patterns.month.exec(words)?.groups;
  const month = lexicon.months.meaningOf(found?.month);
  return month === undefined ? undefined : inYears(found, now, (year) => monthOf(year, month));
};

/** The year that the words name, or each year close by. */
function inYears(
  groups: Groups | undefined,
  now: DateTime,
  stretchIn: (year: number) => ClosedStretch | undefined,
): readonly Named[] {
  const { before, after, year, short } = groups ?? {};
  const named = before ?? after ?? year ?? (short && `20${short}`);
  const years = named === undefined ? YEARS.map((ahead) => now.year + ahead) : [Number(named)];
  const stretches = years.map(stretchIn).filter((each) => each !== undefined);
  return stretches.length === 0 ? [] : [{ stretches, comes: named === undefined ? 'yearly' : 'once' }];
}

/** "yesterday", "last friday", "last november", "last christmas": what no future moment can name. */
const pastDays: PeriodRule = (words, context) => {
  const { now, lexicon } = context;
  const { pastDay, lastNamed } = patternsOf(lexicon);
  const ahead = lexicon.pastDays.meaningOf(pastDay.exec(words)?.groups?.day);
  if (ahead !== undefined) return once(wholeDays(now.plus({ days: ahead })));
  const name = lastNamed.exec(words)?.groups?.name;
  // A name that itself begins with “last” is refused: reading each level costs steps.
  const named = name === undefined || lastNamed.test(name) ? [] : pointsIn(name, context);
  const last = named.flatMap(({ day, minutes }) =>
    day === undefined || day.comes === 'once' || minutes !== undefined
      ? []
      : (day.stretches.findLast(({ to }) => to.wall < +now.startOf('day')) ?? []),
  );
  return last.length === 0 ? undefined : once(...last);
};

/** "the week of 7 december", "christmas week": the week with this day. "The week after friday" follows the coming one. */
const weeksOfDays: PeriodRule = (words, context) => {
  const { weekOf } = patternsOf(context.lexicon);
  const { day: point, feast, before, after } = weekOf.exec(words)?.groups ?? {};
  const name = point ?? feast;
  if (name === undefined) return undefined;
  const weeks = after ? 1 : before ? -1 : 0;
  const weekAround = ({ from }: ClosedStretch): ClosedStretch =>
    weekFrom(weekStart(asCalendar(from.wall), context.firstWeekday).plus({ weeks }));
  const found = dayPointsIn(name, context).flatMap(({ day, minutes }) => {
    // "Monday week" is a day, and "may first week" part of a month.
    const isOther = feast && (day?.comes !== 'yearly' || isDayOfMonth(feast, context));
    if (day === undefined || minutes !== undefined || isOther) return [];
    const chosen = weeks !== 0 && day.comes === 'often' && chooseStretch(day, 'alone', context);
    return chosen ? once(weekAround(chosen)) : [{ ...day, stretches: day.stretches.map(weekAround) }];
  });
  return feast && found.length === 0 ? undefined : found;
};

/** Whether the words name a month, or count a day: "december first", "4th of july". */
function isDayOfMonth(words: string, { lexicon }: RangeContext): boolean {
  return /\d/.test(words) || words.split(' ').some((word) => lexicon.months.meaningOf(word) !== undefined);
}

/** As "last" among the ordinals. */
const LAST = 5;

/** "The first week of december": the first that begins in it, or seven days. */
const weeksOfMonths: PeriodRule = (words, context) => {
  const { nth, number, name } = patternsOf(context.lexicon).nthWeek.exec(words)?.groups ?? {};
  const weeks = context.lexicon.ordinals.meaningOf(nth) ?? Number(number);
  const isMonth = ({ from, to }: ClosedStretch) =>
    asCalendar(from.wall).endOf('month').toMillis() === to.wall;
  const named = name === undefined ? [] : pointsIn(name, context).flatMap(({ day }) => day ?? []);
  const months = named.filter(({ stretches }) => stretches.every(isMonth));
  const weekIn = ({ from, to }: ClosedStretch, isCalendars: boolean): ClosedStretch => {
    const first =
      weeks === LAST
        ? asCalendar(to.wall).minus({ days: 6 })
        : asCalendar(from.wall).plus({ weeks: weeks - 1 });
    return weekFrom(isCalendars ? weekStart(first.plus({ days: 6 }), context.firstWeekday) : first);
  };
  const ways = [true, false].flatMap((isCalendars) =>
    months.map((month) => ({
      ...month,
      stretches: month.stretches.map((each) => weekIn(each, isCalendars)),
    })),
  );
  return ways.length === 0 ? undefined : ways;
};

/** The first rule that knows the words decides. */
const RULES: readonly PeriodRule[] = [
  countedPeriods,
  calendarPeriods,
  partsOfYear,
  partsOfPeriods,
  namedMonths,
  pastDays,
  weeksOfMonths,
  weeksOfDays,
];

/** All that words can mean without "from", "to" and the like: a stretch, a day, a time, or a day and a time. */
export function pointsIn(words: string, context: RangeContext): readonly PointExpression[] {
  const { instant, zone, locale, dateOrder, limits } = context;
  const key = [instant, zone, locale, dateOrder, words].join(' ');
  return oncePer(context.lexicon)(limits, key, () => {
    return stretchesNamed(words, context) ?? dayPointsIn(words.trim(), context);
  });
}

/** The ends of a range are split off in several places. */
const oncePer = perLanguage(() => oncePerRequest<readonly PointExpression[]>());

/** The stretches among them. Undefined if no rule knows the words. */
export function stretchesNamed(words: string, context: RangeContext): readonly PointExpression[] | undefined {
  const plain = words.trim();
  if (plain === '') return [];
  for (const rule of RULES) {
    const named = rule(plain, context);
    if (named !== undefined) return named.map((day) => ({ day }));
  }
  return undefined;
}

/** The weeks or months in which a day is looked for, counted from the current one. */
const NEARBY = [-2, -1, 0, 1, 2];

export interface PointExpression {
  day?: Named;
  /** Minutes of the day, the likeliest first. */
  minutes?: readonly number[];
}

/** All days and times that the words can mean, read by the grammar of moments. */
export function dayPointsIn(words: string, context: RangeContext): readonly PointExpression[] {
  const read = readWords(words, midnightOf(context.now), context);
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
  const pastDates = day?.kind === 'date' ? (day.pastDates ?? []) : [];
  if (isCounted && day?.kind === 'date' && pastDates.length > 0) {
    const past = pastDates.flatMap(({ year, month, day: pastDay }) => {
      const onDate = { ...day, year, month, day: pastDay, otherDates: undefined, pastDates: undefined };
      return meantDays({ ...expression, day: onDate }, context);
    });
    return comingBeside(past, meantDays(expression, context), day);
  }
  const isEitherToCome = day?.kind === 'date' && day.otherDates !== undefined && pastDates.length === 0;
  if (isCounted || isChosen || isEitherToCome) return once(...meantDays(expression, context));
  return day === undefined ? once(wholeDays(context.now)) : namedDays(day, context.now);
}

/** Days that only the policy for moments can find. Words that count hours name no day. */
function meantDays(expression: Expression, { now }: RangeContext): readonly ClosedStretch[] {
  const { time: _, part: __, ...dayOnly } = expression;
  const { walls } = findCandidates(dayOnly, { now, today: midnightOf(now) });
  const days = walls.flatMap(({ wall, elapsed }) => (wall === undefined || elapsed !== 0 ? [] : [wall]));
  return days.map((wall) => wholeDays(asCalendar(wall)));
}

/**
 * The days that are over beside those of the same name to come. A feast that some keep a day earlier or later has two days,
 * in some years only.
 */
function comingBeside(
  past: readonly ClosedStretch[],
  coming: readonly ClosedStretch[],
  { pastDates: [pastDate] = [], ...day }: DateExpression,
): readonly Named[] {
  const isYearly = pastDate !== undefined && comesYearly(pastDate, day);
  const longer = past.length > coming.length ? past : coming;
  return longer.map((_, index) => {
    const pair = [past[index] ?? past[0], coming[index] ?? coming[0]];
    const stretches = pair.filter((each) => each !== undefined);
    // A feast that comes several times a year is of no period.
    return isYearly
      ? { stretches, comes: 'yearly' }
      : { stretches, comes: 'often', namesCurrentPeriod: day.lastDay !== undefined };
  });
}

function namedDays(day: DayExpression, now: DateTime): readonly Named[] {
  if (day.kind === 'weekday') {
    const nearest = now.startOf('week').plus({ days: (day.weekday + 6) % 7 });
    const weekdays = NEARBY.map((weeks) => nearest.plus({ weeks }));
    return daysThatCome(weekdays, undefined, 'often');
  }
  if (day.kind === 'day-of-month') {
    const { day: dayOfMonth } = day;
    const dates = [...datesWith({ day: dayOfMonth }, now, NEARBY)];
    return daysThatCome(dates, day.weekday, 'often').map((each) => ({ ...each, dayOfMonth }));
  }
  const { year, weekday, pastDates = [], otherDates = [] } = day;
  if (pastDates.length > 0 && year !== undefined) {
    const coming = [DateTime.utc(year, day.month, day.day), ...otherDates];
    const daysAmong = (dates: readonly DateTime[]): readonly ClosedStretch[] =>
      dates.filter((date) => isOnWeekday(date, weekday)).map((date) => wholeDays(date));
    return comingBeside(daysAmong(pastDates), daysAmong(coming), day);
  }
  const orders = dateOrdersOf(day);
  // "Sat 3/4" is on 3 April if that is a Saturday next year, although 4 March is one in a later year.
  const isNear = (order: DateExpression) =>
    weekday !== undefined &&
    [...datesWith(order, now, YEARS.slice(0, -1))].some((date) => isOnWeekday(date, weekday));
  const near = year === undefined ? orders.filter(isNear) : [];
  return (near.length > 0 ? near : orders).flatMap((order) => {
    const isEveryYear = year === undefined;
    const dates = isEveryYear ? datesWith(order, now, YEARS) : datesWith(order, { year, month: 1 }, [0]);
    return daysThatCome([...dates], weekday, isEveryYear ? 'yearly' : 'once');
  });
}

/** The dates on the weekday, or all dates if there is none. */
function daysThatCome(
  dates: readonly DateTime[],
  weekday: number | undefined,
  comes: Named['comes'],
): readonly Named[] {
  const days = dates.filter((date) => isOnWeekday(date, weekday));
  return days.length === 0 ? [] : [{ stretches: days.map((day) => wholeDays(day)), comes }];
}

function isOnWeekday(date: DateTime, weekday = date.weekday % 7): boolean {
  return date.weekday % 7 === weekday;
}
