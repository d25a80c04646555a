import { DateTime, Duration } from 'luxon';
import { comingDate } from '../feasts.ts';
import { dateOf, type Meaning, PART_NAMES, periodOf } from '../piece.ts';
import {
  dayAt,
  type NamedPeriod,
  namedMonth,
  namedPart,
  type Place,
  periodAhead,
  wholePeriod,
} from '../places.ts';
import { type Groups, needing, type Rules, rule } from '../rule.ts';
import { YEAR_BESIDE, yearOf } from './dates.ts';
import { WORKDAY } from './days.ts';
import {
  LONG_PERIOD,
  MONTH,
  monthOf,
  NUMBER_WORD,
  numberOf,
  ORDINAL_FIGURE,
  ORDINAL_WORD,
  ordinalOf,
  WEEKDAY,
  weekdayOf,
} from './vocabulary.ts';

const ORDINAL = `(?:${ORDINAL_WORD}|${ORDINAL_FIGURE})`;
const NTH = `(?<nth>(?:${ORDINAL}[\\s-](?:to[\\s-]|from[\\s-])?|next[\\s-]to[\\s-])?last|last\\sbut\\sone|penultimate|final|${ORDINAL}|\\d{3}(?:st|nd|rd|th))`;

const PART = '(?:\\s(?<part>morning|afternoon|evening|night))?';

/** "The first monday", "last friday evening", "last business day", "second to last day", "third week", "day 256". */
const NTH_DAY = `(?:${NTH}\\s(?:(?<weekday>${WEEKDAY})${PART}|(?<of>day|week-?end|week(?!-)|${WORKDAY}))|day\\s(?<number>\\d{1,3})(?=\\s(?:of|in)\\s))`;
const START = '(?<start>start|beginning|first(?=\\sof\\s(?:(?:the|this|next)\\s)?(?:year|quarter)\\b))';
const END = '(?<end>(?:very\\s)?end|last(?=\\s(?:of|in)\\s))';
/** "Midweek next week" is in next week. */
const STRETCH =
  '(?<stretch>early(?:\\son)?|mid|middle|late)(?:-?\\s?week(?=\\snext\\sweek))?(?:\\s(?:in|of)(?=\\s))?(?:-?\\s|-|(?=week))';

const QUARTER =
  '(?:q\\s?(?<q>[1-4])|(?<quarter>first|second|third|fourth|last|1st|2nd|3rd|4th)\\squarter|h\\s?(?<h>[12])(?!\\w)|(?<half>first|second|1st|2nd)\\shalf)';

/** "Late december 5" is the 5th, and so are two figures after any month that can't be an hour. */
const NO_DATE = `(?!${MONTH}\\s?(?:the\\s)?(?:${ORDINAL}|\\d{1,2}(?![\\d:]|\\.\\d\\d|\\s?(?:[ap]\\.?m?\\b|h|o'?\\s?clock|uhr|ish|noon|midnight))))`;

/** "The month", "next week", "may", "may 2027", "may next year", "q1", "2027", "3 months". */
const PERIOD = `(?:(?:(?<whichUnit>(?:the\\s)?(?:next|following|coming)|the\\snew|the|this)\\s)?(?<unit>week|wk|month|quarter|year)(?!\\sof\\b)|(?:the\\s)?(?:(?:month\\sof\\s)?(?:(?:this|next)\\s(?!year))?(?<month>${MONTH})|${QUARTER})${YEAR_BESIDE}|(?<alone>20\\d\\d)|(?<=in\\s)(?<ahead>\\d{1,2}|${NUMBER_WORD}|an?)\\smonths?(?:'?\\stime)?)`;

/** The period in the groups of `PERIOD`. */
function periodIn(found: Groups, today: DateTime): NamedPeriod | undefined {
  const { nth, whichUnit, unit, month, q, quarter = q, h, half = h, alone, ahead } = found;
  if (ahead !== undefined) {
    const months = numberOf(ahead);
    return nth === undefined || months === undefined ? undefined : periodAhead('month', today, months);
  }
  if (unit !== undefined) {
    const isOpen = whichUnit === undefined || whichUnit === 'the';
    const isNext = /next|new|ing/.test(whichUnit ?? '');
    return periodAhead(unitOf(unit), today, isOpen ? undefined : Number(isNext));
  }
  const year = yearOf(found, today);
  if (alone !== undefined) return { unit: 'year', firstDay: DateTime.utc(Number(alone)) };
  if (month !== undefined) return namedMonth(monthOf(month), today, year);
  // "The first half" without a year is of a match.
  if (found.half !== undefined && year === undefined) return undefined;
  const number = quarter === 'last' ? 4 : (ordinalOf(quarter ?? half) ?? 1);
  return namedPart({ unit: quarter === undefined ? 'half' : 'quarter', nth: number }, today, year);
}

function unitOf(word: string | undefined) {
  if (word === 'wk') return 'week';
  return word === 'week' || word === 'month' || word === 'quarter' ? word : 'year';
}

function placeIn({ nth, weekday, of, number, start, stretch }: Groups): Place | undefined {
  if (number !== undefined) return { nth: Number(number), of: 'day' };
  if (nth === undefined && start !== undefined) return 'start';
  if (stretch?.startsWith('mid')) return 'middle';
  if (nth === undefined) return stretch === undefined ? 'end' : stretch === 'late' ? 'late' : 'early';
  const count = nthOf(nth);
  const day = weekdayOf(weekday);
  if (count === 0) return undefined;
  if (day !== undefined) return { nth: count, weekday: day };
  if (of === 'week' || of === 'day') return { nth: count, of };
  if (of?.endsWith('end')) return { nth: count, of: 'weekend' };
  return { nth: count, of: of?.startsWith('week') ? 'monday-to-friday' : 'working-day' };
}

/** Counted from the end if negative: -1 is the last. */
function nthOf(words: string): number {
  if (words === 'last' || words === 'final') return -1;
  const isFromEnd = /last|penultimate/.test(words);
  const count = ordinalOf(words.replace(/[\s-](?:to|from|last).*$/, '')) ?? Number.parseInt(words, 10);
  return isFromEnd ? 0 - (Number.isNaN(count) ? 2 : count) : count;
}

/**
 * "start of next month", "last day of october 2027", "end of the week" (its Friday, or its Sunday), "mid-march", "early next
 * year" (either of two days), "last friday of the month", "third day of next week", "first weekend of january".
 */
const placesInPeriods = rule(
  `(?:in\\s)?(?:the\\s)?(?:(?:${START}|${END})\\s(?:(?:of|in)\\s|(?=next\\s|this\\s))|${STRETCH}${NO_DATE}|${NTH_DAY}\\s(?:of\\s(?:the\\s)?month\\s(?=in\\s))?(?:(?:of|in)\\s|(?!20)|(?<=(?:ing|ss|k)[\\s-]?day\\s)))${PERIOD}`,
  (found, today) => {
    const place = placeIn(found);
    const period = periodIn(found, today);
    const day = place && period && dayAt(place, period, today);
    const part = PART_NAMES.find((name) => name === found.part);
    return day && { ...day, ...(part !== undefined && { part }) };
  },
);

/** "eow", "eom", "eoq", "eoy": the close of business on the last day, or on Friday. "Month end": the last day. */
const closes = rule(
  '(?:the\\s)?(?:(?<short>eow|eom|eoq|eoy)|(?<unit>month|quarter|year)[\\s-]end(?!\\s?(?:of|review|party|sale)))',
  ({ short, unit }, today) => {
    if (short === undefined) return dateOf(today.endOf(unitOf(unit)));
    const friday = today.plus({ days: (FRIDAY - today.weekday + 7) % 7 });
    const last = { eow: friday, eom: today.endOf('month'), eoq: today.endOf('quarter') }[short];
    const lastDay = (last ?? today.endOf('year')).startOf('day');
    return { ...dateOf(lastDay), lastDay, part: 'late-afternoon' };
  },
);

const FRIDAY = 5;

/** "q1", "2027 h2", "the third quarter of 2027". */
const quarters = rule(
  `(?:(?<before>20\\d\\d)[-\\s/]?)?(?:the\\s)?${QUARTER}${YEAR_BESIDE}`,
  ({ before, ...words }, today) => {
    const period = periodIn({ ...words, year: words.year ?? before }, today);
    return period && wholePeriod(period, today);
  },
);

/** The usual first days of the seasons in the north, by the sun. Weather services count from the first of the month. */
const SEASONS: Readonly<Record<string, readonly [month: number, day: number]>> = {
  spring: [3, 20],
  summer: [6, 21],
  autumn: [9, 22],
  fall: [9, 22],
  winter: [12, 21],
};

/** "next spring", "this winter", "in the summer of 2027", "fall 2027": as a period, its first days. */
const wholeSeasons = rule(
  `(?:in\\s)?(?:(?:this|(?:the\\s)?(?:coming|next|following)|the)\\s)?(?<season>spring|summer|autumn|winter|(?<!\\bthe\\s)fall)${YEAR_BESIDE}(?=[\\s.!?]*$)`,
  ({ season, ...words }, today) => {
    const [month, day] = SEASONS[season ?? ''] ?? [];
    if (month === undefined || day === undefined) return undefined;
    const date = comingDate(today, yearOf(words, today), (year) => DateTime.utc(year, month, day));
    return date && periodOf(date, [date.startOf('month')]);
  },
);

export const periodRules: Rules = [
  needing(
    /start|begin|first|\bend|early|\bmid(?!n)|late|final|penult|last\s|(?:st|nd|rd|th)\s(?:[mtwfs]|day|bus)|\bday\s\d/i,
    [placesInPeriods],
  ),
  needing(/eo[wmqy]|[hr][\s-]end/i, [closes]),
  needing(/q\s?\d|h\s?\d|(?:st|nd|rd|th)\s(?:quarter|half)/i, [quarters]),
  needing(/spring|summer|autumn|fall|winter/i, [wholeSeasons]),
];

const SATURDAY = 6;

/** "this weekend", "at the weekend", "next weekend" (the coming one, or the one after it), "2 weekends from now". */
const weekends = rule(
  `(?:(?:some\\s?time|later|at|over)\\s)?(?:(?:(?<which>this\\scoming|this|the\\snext|next|the\\sfollowing|following|the\\scoming|coming|the|a)\\s)?week-?end(?<after>\\safter\\snext)?|(?<count>\\d|${NUMBER_WORD})\\sweekends\\s(?:from\\snow|hence))`,
  ({ which, after, count }, today) => {
    const isNext = /next|following/.test(which ?? '') || after !== undefined;
    const isWeekend = today.weekday >= SATURDAY;
    const weeks = count === undefined ? Number(after !== undefined) : (numberOf(count) ?? 1) - 1;
    const saturday = today
      .startOf('week')
      .plus({ days: 5, weeks: weeks + Number(isWeekend && (isNext || count !== undefined)) });
    const later = isNext && !isWeekend ? bothDays(saturday.plus({ weeks: 1 })) : [];
    const [first = saturday, ...others] = [...bothDays(saturday), ...later].filter((day) => day >= today);
    return { ...periodOf(first, others), lastDay: saturday.plus({ days: 1 }) };
  },
);

function bothDays(saturday: DateTime): readonly DateTime[] {
  return [saturday, saturday.plus({ days: 1 })];
}

/** "tues w/c 10 may", "week of may 10": in the week of the date, or of the day after a Sunday. */
const weeksOfDates = rule(
  `(?:(?:the\\s)?w(?:ee)?k\\s(?:of|commencing|starting|beginning)|w/?c)\\s(?:the\\s)?(?:(?<day>\\d{1,2}|${ORDINAL_FIGURE})\\s(?:of\\s)?(?<month>${MONTH})|(?<month>${MONTH})\\s(?<day>\\d{1,2}(?!\\d)|${ORDINAL_FIGURE}))`,
  ({ day, month }, today) => {
    const date = comingDate(today.startOf('week').minus({ days: 1 }), undefined, (year) =>
      DateTime.utc(year, monthOf(month) ?? 0, ordinalOf(day) ?? 0),
    );
    if (!date?.isValid) return undefined;
    const monday = date.plus({ days: 1 }).startOf('week');
    const contains = { number: monday.weekNumber, year: monday.weekYear };
    return { ...periodOf(monday, [monday.plus({ days: 4 })]), contains };
  },
);

export const weekRules: Rules = [needing(/week/i, [weekends]), needing(/w(?:ee)?k|w\/?c/i, [weeksOfDates])];

const NEXT = '(?:(?:the\\s)?(?:next|following)|(?:(?:this|the)\\s)?(?:coming|upcoming))';
const LEAD = '(?:(?:some\\s?time|(?:some|any|one)\\sday|any\\s?time|later|in)\\s)?';

/** "next week's monday". */
const BEFORE_DAY = `(?:'s(?=\\s${WEEKDAY}))?`;

/** "next week", "next month", "the following year": its first day, or so long from now. */
const nextPeriods = rule(
  `${LEAD}${NEXT}\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}|${LEAD}(?:the\\s)?(?<after>week|month|year)\\safter\\snext(?!\\s(?:${MONTH}\\b|${LONG_PERIOD}))`,
  ({ unit, after }, today) => {
    const count = after === undefined ? 1 : 2;
    const period = unitOf(unit ?? after);
    const length = { [`${period}s`]: count };
    const begin = dateOf(today.startOf(period).plus(length));
    const meaning = { ...begin, isPeriod: true, orFromNow: Duration.fromObject(length) };
    if (period === 'month') return { ...meaning, contains: 'month' };
    const contains = { ahead: count, mayBeginOnSunday: true };
    return period === 'week' ? { ...meaning, contains } : meaning;
  },
);

/** "this week", "this month": today, or its end. */
const thisPeriods = rule(
  `${LEAD}(?:this|the\\scurrent)\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}`,
  ({ unit }, today) => {
    const period = unitOf(unit);
    const end = today.endOf(period).startOf('day');
    const workEnds = period === 'week' ? end.minus({ days: 2 }) : end;
    const ends = [workEnds, end].filter((day) => day >= today);
    const meaning = { ...periodOf(today, ends), lastDay: end };
    return period === 'week' ? { ...meaning, contains: { ahead: 0 } } : meaning;
  },
);

/** More days than this can't be offered as choices. */
const MAX_DAYS = 4;

/** "the coming two days", "3 upcoming days": one of them. */
const comingDays = rule(
  `${LEAD}(?:the\\s)?(?:(?:coming|upcoming)\\s(?<count>\\d|${NUMBER_WORD})|(?<count>\\d|${NUMBER_WORD})\\s(?:coming|upcoming))\\sdays?`,
  ({ count }, today) => {
    const days = numberOf(count) ?? 0;
    if (days < 2 || days > MAX_DAYS) return undefined;
    const dates = Array.from({ length: days }, (_, index) => today.plus({ days: index + 1 }));
    return periodOf(dates[0] ?? today, dates);
  },
);

/** "the 3rd month of 2027", "last month of next year". */
const nthMonths = rule(
  `${LEAD}(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE}|last)\\smonth(?=\\s(?:of|in)\\s)${YEAR_BESIDE}`,
  ({ nth, ...words }, today) => {
    const month = nth === 'last' ? 12 : ordinalOf(nth);
    const year = yearOf(words, today);
    if (month === undefined || month > 12 || year === undefined) return undefined;
    return monthIn(today, month, year, false);
  },
);

/**
 * An hour after a month's full name: "december 9am". Only in English is "mar 9h" in March. With a weekday, "9" is
 * rather the day: "friday december 9am".
 */
const HOUR_AFTER = `(?<=[a-z]{4}\\s\\d{1,2})(?<!\\b${WEEKDAY},?\\s[a-z]+\\s\\d{1,2})(?::\\d|\\s?(?:[ap]\\.?m\\b|o'?\\s?clock|uur))(?!\\S*,?\\s(?:on\\s)?${WEEKDAY}\\b)`;

/** "june", "in june 2027", "next january": its first day, or the day with today's number. */
const wholeMonths = rule(
  `(?:(?:some|any|one)\\sday\\sin\\s)?(?:(?:in\\s)?(?:the\\s)?month\\sof\\s)?(?:(?<lead>this|next|coming|upcoming)\\s)?(?<!\\d\\s?)(?!(?:may|march)\\s(?!(?:of|in|this|next)\\s|20\\d\\d|'\\d)\\w)(?<month>${MONTH})(?!\\s?\\d{1,2}(?!\\d|${HOUR_AFTER})|\\sthe\\s\\d)${YEAR_BESIDE}`,
  ({ lead, month, ...words }, today) => {
    const number = monthOf(month);
    return (number && monthIn(today, number, yearOf(words, today), lead === 'next')) || undefined;
  },
);

/** "2027-06", "2027/6", "06/2027". */
const monthsInFigures = rule(
  '(?<!\\d[-/.]|\\d)(?:(?<year>20\\d\\d)[-/](?<month>1[0-2]|0?[1-9])|(?<month>1[0-2]|0?[1-9])[-/](?<year>20\\d\\d))(?![-/.:]?\\d)',
  ({ year, month }, today) => monthIn(today, Number(month), Number(year), false),
);

/** The current month only with its year. "Next june" can also be the one of the year after. */
function monthIn(today: DateTime, month: number, named: number | undefined, isNext: boolean): Meaning {
  const year = named ?? today.year + (month > today.month ? 0 : 1);
  const begin = DateTime.utc(year, month, 1);
  const sameDay = begin.set({ day: Math.min(today.day, begin.daysInMonth ?? 28) });
  const end = begin.endOf('month').startOf('day');
  if (begin.hasSame(today, 'month')) return { ...periodOf(today, [end]), lastDay: end };
  const isEitherYear = isNext && named === undefined && year === today.year;
  return periodOf(begin, isEitherYear ? [sameDay, begin.plus({ years: 1 })] : [sameDay]);
}

export const wholePeriodRules: Rules = [
  needing(/week|month|quarter|year/i, [nextPeriods, thisPeriods]),
  needing(/coming/i, [comingDays]),
  needing(/month/i, [nthMonths]),
  needing(/jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i, [wholeMonths]),
  needing(/20\d\d/, [monthsInFigures]),
];
