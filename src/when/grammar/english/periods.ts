import { DateTime, Duration } from 'luxon';
import { comingDate, nthWeekday } from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning, periodOf } from '../piece.ts';
import { needing, type Rules, rule } from '../rule.ts';
import { comingMonth, NAMED_MONTH, nthOf, YEAR_BESIDE, yearOf } from './dates.ts';
import {
  MONTH,
  monthOf,
  NUMBER_WORD,
  numberOf,
  ORDINAL_FIGURE,
  ORDINAL_WORD,
  ordinalOf,
  WEEKDAY,
} from './vocabulary.ts';

const START =
  '(?:the\\s)?(?:start|beginning|first\\sday|first(?=\\sof\\s(?:(?:the|this|next)\\s)?(?:year|quarter)\\b))\\s(?:(?:of|in)\\s|(?=next\\s|this\\s))';
const END =
  '(?:the\\s)?(?:very\\s)?(?:(?:end|last(?:\\sday)?)\\s(?:of|in)\\s|last\\sday\\s(?=next\\s|this\\s))';
const WHICH = '(?:(?<which>the|this|next|the\\snext|the\\snew)\\s)?';
const NAMED = `(?:(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?|(?<alone>\\d{4}))`;

/** The beginning, the middle or the end of a period. */
const STRETCH =
  '(?:(?:the\\s)?(?<stretch>early(?:\\son)?|mid|middle|late)(?:\\s(?:in|of))?(?:\\sthe)?[\\s-]?)';

const FRIDAY = 5;

type Period = 'week' | 'month' | 'quarter' | 'year';

const PERIODS: Readonly<Record<string, Period>> = {
  ...{ week: 'week', month: 'month', quarter: 'quarter', year: 'year' },
  ...{ eow: 'week', eom: 'month', eoq: 'quarter', eoy: 'year' },
};

/** "start of next month", "first day of next year", "beginning of next week". */
const periodStarts = rule(`${START}${WHICH}(?<unit>week|month|quarter|year)`, ({ which, unit }, today) => {
  const period = periodOfWord(unit);
  const thisOne = today.startOf(period);
  const isThis = which === 'this' || (!/next|new/.test(which ?? '') && thisOne >= today);
  return dateOf(isThis ? thisOne : thisOne.plus({ [`${period}s`]: 1 }));
});

/** "beginning of december", "first day of 2028", "end of april", "last day of october 2027". */
const namedEdges = rule(`(?:(?<start>${START})|${END})${NAMED}`, ({ start, month, year, alone }, today) => {
  const isStart = start !== undefined;
  const number = alone === undefined ? monthOf(month) : isStart ? 1 : 12;
  if (number === undefined) return undefined;
  const named = alone ?? year;
  const date = comingDate(today, named === undefined ? undefined : Number(named), (inYear) => {
    const first = DateTime.utc(inYear, number);
    return isStart ? first : first.endOf('month').startOf('day');
  });
  return date && dateOf(date);
});

/** "eow", "eom", "eoq", "eoy": the close of business on the last day, or on Friday. */
const closes = rule('(?:the\\s)?(?<short>eow|eom|eoq|eoy)', ({ short }, today) => {
  const period = periodOfWord(short);
  const friday = today.plus({ days: (FRIDAY - today.weekday + 7) % 7 });
  return { ...dateOf(period === 'week' ? friday : today.endOf(period)), part: 'late-afternoon' };
});

/** "end of the month", "last day of next year", "end of the quarter", "month end". */
const periodEnds = rule(
  `(?:the\\s)?(?<ending>month|quarter|year)[\\s-]end(?!\\s?(?:of|review|party|sale))|${END}${WHICH}(?<unit>month|quarter|year)`,
  ({ ending, which, unit }, today) => {
    const period = periodOfWord(unit ?? ending);
    return dateOf(today.plus(which?.endsWith('next') ? { [`${period}s`]: 1 } : {}).endOf(period));
  },
);

/** "end of the week": its Friday, or its Sunday. */
const weekEnds = rule(`${END}${WHICH}(?:week|wk)`, ({ which }, today) => {
  const week = today.plus({ weeks: which?.endsWith('next') ? 1 : 0 });
  const sunday = week.endOf('week').startOf('day');
  const friday = sunday.minus({ days: 2 });
  return friday < today ? dateOf(sunday) : eitherDateOf(friday, [sunday]);
});

function periodOfWord(word: string | undefined): Period {
  return PERIODS[word ?? ''] ?? 'year';
}

/** "mid-march", "the middle of next month" (the 15th), "early june", "late december 2027" (either of two days). */
const partsOfMonths = rule(`${STRETCH}${NAMED_MONTH}`, ({ stretch, ...words }, today) => {
  const isLate = stretch === 'late';
  const endOf = (begin: DateTime): DateTime => begin.endOf('month').startOf('day');
  const begin = comingMonth(words, today, (first) => (isLate ? endOf(first) : first.set({ day: 15 })));
  if (begin === undefined) return undefined;
  if (stretch?.startsWith('mid')) return dateOf(begin.set({ day: 15 }));
  return isLate ? periodOf(begin.set({ day: 25 }), [endOf(begin)]) : periodOf(begin, [begin.set({ day: 5 })]);
});

/** "mid-2027" (the first of July), "early next year", "late 2027" (either of two days). */
const partsOfYears = rule(
  `${STRETCH}(?:(?<year>20\\d\\d)|(?<which>this\\s|next\\s)year|(?<=\\bthe\\s)year)`,
  ({ stretch, year, which }, today) => {
    const named = year === undefined ? today.year + (which?.startsWith('next') ? 1 : 0) : Number(year);
    if (stretch?.startsWith('mid')) return dateOf(DateTime.utc(named, 7, 1));
    const [month, other] = stretch === 'late' ? [12, 11] : [1, 2];
    return periodOf(DateTime.utc(named, month, 1), [DateTime.utc(named, other, 1)]);
  },
);

const PART =
  '(?:q\\s?(?<q>[1-4])|(?<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th)\\squarter|h\\s?(?<h>[12])(?!\\w)|(?<half>first|second|1st|2nd)\\shalf)';

const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: 4 };

/**
 * "q1", "the third quarter of 2027", "end of q4", "start of h2 next year": the first or the last day of a quarter or
 * half of a year, or both. "End of q4" is this year's, even if q4 has begun.
 */
const quarters = rule(
  `(?:(?<before>20\\d\\d)[-\\s/]?)?(?:(?:the\\s)?(?:(?<end>end|last\\sday)|(?<start>start|beginning|first\\sday))\\sof\\s)?(?:the\\s)?${PART}${YEAR_BESIDE}`,
  ({ before, end, start, q, ordinal, h, half, ...words }, today) => {
    const months = q === undefined && ordinal === undefined ? 6 : 3;
    const word = q ?? ordinal ?? h ?? half ?? '';
    const number = ORDINALS[word] ?? Number.parseInt(word, 10);
    const year = yearOf({ ...words, year: words.year ?? before }, today);
    if (half !== undefined && year === undefined) return undefined;
    const beginIn = (inYear: number): DateTime =>
      DateTime.utc(inYear).plus({ months: (number - 1) * months });
    const endIn = (inYear: number): DateTime => beginIn(inYear).plus({ months }).minus({ days: 1 });
    const date = comingDate(today, year, end === undefined ? beginIn : endIn);
    if (date === undefined) return undefined;
    return start === undefined && end === undefined ? periodOf(date, [endIn(date.year)]) : dateOf(date);
  },
);

/** The usual first days of the seasons in the north, by the sun. Weather services count from the first of the month. */
const SEASONS: Readonly<Record<string, readonly [month: number, day: number]>> = {
  ...{ spring: [3, 20], vernal: [3, 20] },
  summer: [6, 21],
  ...{ autumn: [9, 22], autumnal: [9, 22], fall: [9, 22] },
  winter: [12, 21],
};

/** "first day of spring", "the start of summer 2027", "winter solstice". */
const seasons = rule(
  `(?:the\\s)?(?:(?<name>summer|winter)\\ssolstice|(?<equinox>spring|vernal|autumn|autumnal|fall)\\sequinox|(?:start|beginning|first\\sday)\\sof\\s(?:next\\s)?(?<begin>spring|summer|autumn|fall|winter))${YEAR_BESIDE}`,
  ({ name, equinox, begin, ...words }, today) => {
    const date = seasonStart(name ?? equinox ?? begin, today, yearOf(words, today));
    return date && eitherDateOf(date, [begin === undefined ? date.plus({ days: 1 }) : date.startOf('month')]);
  },
);

/** "next spring", "this winter", "in the summer of 2027", "fall 2027": as a period, its first days. */
const wholeSeasons = rule(
  `(?:in\\s)?(?:(?:this|(?:the\\s)?(?:coming|next|following)|the)\\s)?(?<season>spring|summer|autumn|winter|(?<!\\bthe\\s)fall)${YEAR_BESIDE}(?=[\\s.!?]*$)`,
  ({ season, ...words }, today) => {
    const date = seasonStart(season, today, yearOf(words, today));
    return date && periodOf(date, [date.startOf('month')]);
  },
);

function seasonStart(
  name: string | undefined,
  today: DateTime,
  year: number | undefined,
): DateTime | undefined {
  const [month, day] = SEASONS[name ?? ''] ?? [];
  return (month && comingDate(today, year, (inYear) => DateTime.utc(inYear, month, day ?? 1))) || undefined;
}

export const periodRules: Rules = [
  needing(/start|begin|first/i, [periodStarts]),
  needing(/eo[wmqy]/i, [closes]),
  needing(/end|last/i, [periodEnds, weekEnds]),
  needing(/start|begin|first|end|last/i, [namedEdges]),
  needing(/early|mid|late/i, [partsOfMonths, partsOfYears]),
  needing(/q\s?\d|quarter|h\s?\d|half/i, [quarters]),
  needing(/solstice|equinox|spring|summer|autumn|fall|winter/i, [seasons, wholeSeasons]),
];

const MONDAY = 1;
const SATURDAY = 6;

/** "week of december 7", "the week commencing 7 dec", "w/c 7/12": its Monday, or the day itself. */
const weekOfDay = rule(
  '(?:in\\s)?(?:the\\s)?(?:week\\s(?:of|commencing|beginning|starting)|w/c)(?:\\son)?(?=\\s(?:the\\s)?(?!next|this|last|month|year)(?:\\d|[a-z]))',
  () => ({ beside: { weekday: MONDAY, count: 1, way: 'in-week' } }),
);

/** "the third day of next week", "2nd day of the week", counted from Monday. */
const daysOfWeek = rule(
  `(?:the\\s)?(?<nth>${ORDINAL_WORD}|${ORDINAL_FIGURE})\\sday\\s(?:of|in)\\s(?:(?:the\\s)?(?<next>next|following|coming)|this|the)\\sweek`,
  ({ nth, next }, today) => {
    const day = ordinalOf(nth);
    if (day === undefined || day < 1 || day > 7) return undefined;
    return dateOf(today.startOf('week').plus({ days: day - 1, weeks: next === undefined ? 0 : 1 }));
  },
);

/** "midweek", "early next week", "late this week", "the middle of next week". */
const partsOfWeeks = rule(
  `(?:(?<mid>mid-?\\s?week)(?:\\s(?<nextMid>next)\\sweek)?|${STRETCH}(?:(?<which>this|next|the)\\s)?week)`,
  ({ mid, nextMid, stretch = 'mid', which }, today) => {
    const isNext = which === 'next' || nextMid !== undefined;
    const monday = today.startOf('week').plus({ weeks: isNext ? 1 : 0 });
    const isMiddle = mid !== undefined || stretch.startsWith('mid');
    const days = isMiddle ? [2] : stretch === 'late' ? [3, 4] : [0, 1];
    const dates = days.map((ahead) => monday.plus({ days: ahead }));
    const isOver = !isNext && dates.every((date) => date < today);
    const [first, ...others] = dates
      .map((date) => (isOver && which === undefined ? date.plus({ weeks: 1 }) : date))
      .filter((date) => isOver || date >= today);
    return first && eitherDateOf(first, others);
  },
);

const NTH = '(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)';

/** "first week of may", "the last week of next month": its Monday, or its first day. */
const weeksOfMonths = rule(
  `(?:in\\s)?(?:the\\s)?${NTH}\\sweek\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, ...words }, today) => {
    const count = nthOf(nth);
    const lastIn = (begin: DateTime): DateTime =>
      count < 0 ? begin.endOf('month').startOf('day') : begin.set({ day: count * 7 });
    const begin = comingMonth(words, today, lastIn);
    if (begin === undefined) return undefined;
    const first = count < 0 ? lastIn(begin) : begin.set({ day: (count - 1) * 7 + 1 });
    return periodOf(nthWeekday(begin.year, begin.month, MONDAY, count) ?? first, [first]);
  },
);

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
    return periodOf(first, others);
  },
);

/** "first weekend of january", "the last weekend of the month". */
const nthWeekends = rule(
  `(?:the\\s)?${NTH}\\sweek-?end\\s(?:of|in)\\s(?:the\\s)?${NAMED_MONTH}`,
  ({ nth, ...words }, today) => {
    const saturdayIn = ({ year, month }: DateTime): DateTime | undefined =>
      nthWeekday(year, month, SATURDAY, nthOf(nth));
    const begin = comingMonth(words, today, saturdayIn);
    const saturday = begin && saturdayIn(begin);
    return saturday && periodOf(saturday, bothDays(saturday));
  },
);

function bothDays(saturday: DateTime): readonly DateTime[] {
  return [saturday, saturday.plus({ days: 1 })];
}

export const weekRules: Rules = [
  needing(/week|w\/c/i, [weekOfDay, daysOfWeek, partsOfWeeks, weeksOfMonths, weekends, nthWeekends]),
];

const NEXT = '(?:(?:the\\s)?(?:next|following)|(?:(?:this|the)\\s)?(?:coming|upcoming))';
/** "The week after next christmas" isn't the week after next. */
const NAMED_PERIOD = `(?:${WEEKDAY}|${MONTH}|week|weekend|month|quarter|year|easter|christmas)\\b`;
const LEAD = '(?:(?:some\\s?time|(?:some|any|one)\\sday|any\\s?time|later|in)\\s)?';

/** "next week's monday". */
const BEFORE_DAY = `(?:'s(?=\\s${WEEKDAY}))?`;

/** "next week", "next month", "the following year": its first day, or so long from now. */
const nextPeriods = rule(
  `${LEAD}${NEXT}\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}|${LEAD}(?:the\\s)?(?<after>week|month|year)\\safter\\snext(?!\\s${NAMED_PERIOD})`,
  ({ unit, after }, today) => {
    const count = after === undefined ? 1 : 2;
    const name = unit ?? after;
    const period = name === 'week' || name === 'month' || name === 'quarter' ? name : 'year';
    const meaning = asStretch(today.startOf(period).plus({ [`${period}s`]: count }), FROM_NOW[period](count));
    if (period === 'month') return { ...meaning, contains: 'month' };
    return period === 'week'
      ? { ...meaning, contains: count === 1 ? 'next-week' : 'week-after-next' }
      : meaning;
  },
);

const FROM_NOW = {
  week: (count: number) => `P${count * 7}D`,
  month: (count: number) => `P${count}M`,
  quarter: (count: number) => `P${count * 3}M`,
  year: (count: number) => `P${count}Y`,
} as const;

/** "this week", "this month": today, or its end. */
const thisPeriods = rule(
  `${LEAD}(?:this|the\\scurrent)\\s(?<unit>week|month|quarter|year)${BEFORE_DAY}`,
  ({ unit }, today) => {
    const period = unit === 'week' || unit === 'month' || unit === 'quarter' ? unit : 'year';
    const end = today.endOf(period).startOf('day');
    const workEnds = period === 'week' ? end.minus({ days: 2 }) : end;
    const meaning = periodOf(
      today,
      [workEnds, end].filter((day) => day >= today),
    );
    return period === 'week' ? { ...meaning, contains: 'this-week' } : meaning;
  },
);

/** More days than this can't be offered as choices. */
const MAX_DAYS = 4;

/** "the coming two days", "3 upcoming days": one of them. */
const comingDays = rule(
  `${LEAD}(?:the\\s)?(?:(?:coming|upcoming)\\s(?<count>\\d|${NUMBER_WORD})|(?<before>\\d|${NUMBER_WORD})\\s(?:coming|upcoming))\\sdays?`,
  ({ count, before }, today) => {
    const days = numberOf(count ?? before) ?? 0;
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

/** "june", "in june 2027", "next january": its first day, or the day with today's number. */
const wholeMonths = rule(
  `(?:(?:some|any|one)\\sday\\sin\\s)?(?:(?:in\\s)?(?:the\\s)?month\\sof\\s)?(?:(?<lead>this|next|coming|upcoming)\\s)?(?<!\\d\\s?)(?!(?:may|march)\\s(?!(?:of|in|this|next)\\s|20\\d\\d|'\\d)\\w)(?<month>${MONTH})(?!\\s?\\d{1,2}(?!\\d)|\\sthe\\s\\d)${YEAR_BESIDE}`,
  ({ lead, month, ...words }, today) => {
    const number = monthOf(month);
    return (number && monthIn(today, number, yearOf(words, today), lead === 'next')) || undefined;
  },
);

/** "2027-06", "2027/6", "06/2027". */
const monthsInFigures = rule(
  '(?<!\\d[-/.]|\\d)(?:(?<year>20\\d\\d)[-/](?<month>1[0-2]|0?[1-9])|(?<first>1[0-2]|0?[1-9])[-/](?<last>20\\d\\d))(?![-/.:]?\\d)',
  ({ year, month, first, last }, today) =>
    monthIn(today, Number(month ?? first), Number(year ?? last), false),
);

/** "2028", "in 2028", "sometime in 2028": its first day, or that number of years from now. */
const wholeYears = rule(
  `(?<=^\\s*(?:post|schedule|publish|send)?(?:\\s?it)?\\s*)${LEAD}(?:the\\syear\\s)?(?<year>20\\d\\d)(?=[\\s.!]*$)`,
  ({ year }, today) => {
    const ahead = Number(year) - today.year;
    return ahead < 1 ? undefined : asStretch(DateTime.utc(Number(year), 1, 1), `P${ahead}Y`);
  },
);

function asStretch(begin: DateTime, fromNow: string): Meaning {
  return { ...dateOf(begin), isPeriod: true, orFromNow: Duration.fromISO(fromNow) };
}

/** The current month only with its year. "Next june" can also be the one of the year after. */
function monthIn(today: DateTime, month: number, named: number | undefined, isNext: boolean): Meaning {
  const year = named ?? today.year + (month > today.month ? 0 : 1);
  const begin = DateTime.utc(year, month, 1);
  const sameDay = begin.set({ day: Math.min(today.day, begin.daysInMonth ?? 28) });
  if (begin.hasSame(today, 'month')) return periodOf(today, [begin.endOf('month').startOf('day')]);
  const isEitherYear = isNext && named === undefined && year === today.year;
  return periodOf(begin, isEitherYear ? [sameDay, begin.plus({ years: 1 })] : [sameDay]);
}

export const wholePeriodRules: Rules = [
  needing(/week|month|quarter|year/i, [nextPeriods, thisPeriods]),
  needing(/coming/i, [comingDays]),
  needing(/month/i, [nthMonths]),
  needing(/jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i, [wholeMonths]),
  needing(/20\d\d/, [monthsInFigures, wholeYears]),
];
