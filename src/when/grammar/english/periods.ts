import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { dateOf, eitherDateOf, periodOf } from '../piece.ts';
import { rule } from '../rule.ts';
import { comingDate, MONTH, monthOf } from './calendar-words.ts';
import { comingMonth, NAMED_MONTH, YEAR_BESIDE, yearOf } from './month-dates.ts';

const START =
  '(?:the\\s)?(?:start|beginning|first\\sday|first(?=\\sof\\s(?:(?:the|this|next)\\s)?(?:year|quarter)\\b))\\s(?:(?:of|in)\\s|(?=next\\s|this\\s))';
const END =
  '(?:the\\s)?(?:very\\s)?(?:(?:end|last(?:\\sday)?)\\s(?:of|in)\\s|last\\sday\\s(?=next\\s|this\\s))';
const WHICH = '(?:(?<which>the|this|next|the\\snext|the\\snew)\\s)?';
const NAMED = `(?:(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?|(?<alone>\\d{4}))`;

/** The beginning, the middle or the end of a period. */
export const STRETCH =
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

export const periodRules: readonly Parser[] = [
  periodStarts,
  closes,
  periodEnds,
  weekEnds,
  namedEdges,
  partsOfMonths,
  partsOfYears,
  quarters,
  seasons,
  wholeSeasons,
];
