import type { DateTime } from 'luxon';
import { inAnyOrder } from '../european/dates.ts';
import { dateIn, dateInEitherOrder, fullYear, type Meaning } from '../piece.ts';
import { type Groups, needing, numberedWeeks, type Rules, rule } from '../rule.ts';
import {
  MONTH,
  monthOf,
  NUMBER_WORD,
  numberOf,
  ORDINAL_FIGURE,
  ORDINAL_WORD,
  ordinalOf,
} from './vocabulary.ts';

/** A spoken year of this century: "two thousand and thirty", "twenty twenty-six". */
const SPOKEN = `(?<spoken>(?:two\\sthousand(?:\\sand)?|twenty)[\\s-](?:(?:twenty|thirty|forty)(?:[\\s-](?:one|two|three|four|five|six|seven|eight|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen))`;
const FIGURES =
  "(?:(?<=[a-z]\\.?)(?=\\d)|\\s?,\\s?|\\s|-|/|\\s(?:of|in)\\s(?:the\\syear\\s)?)(?<year>\\d{4}(?!\\s?h(?:rs?|ours?)?\\b|:))|,?\\s'(?<short>\\d\\d)";
/** Two figures that can't be an hour: "5 jan 27". */
const ALONE =
  "\\s(?<alone>2[5-9]|[3-5]\\d)(?![\\d:./-]|,\\d|\\s?(?:[ap]\\.?m|h|min|sec|day|week|month|year|o'?\\s?clock))";
const BESIDE = `,?\\s(?:of\\s)?(?<which>this|next)\\syear|\\sin\\s(?<ahead>an?|\\d{1,2}|${NUMBER_WORD})\\syears?(?:'?\\stime)?`;

/** A year after a day and month. */
const YEAR = `(?:${FIGURES}|${ALONE}|,?\\s${SPOKEN}|${BESIDE})?`;

/** A year after a month, a quarter or a half: "may 2027", "q1 '27", "september of next year". */
export const YEAR_BESIDE =
  "(?:(?:,?\\s(?:(?:of|in)\\s(?:the\\syear\\s)?)?|[-/])(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b|:)|\\s'(?<short>\\d\\d)|,?\\s(?:of\\s)?(?<which>this|next|the)\\syear)?";

const DAY = `(?<!:|\\d\\.)(?<day>${ORDINAL_FIGURE}|\\d{1,2}(?!\\s?[ap]\\.?m|[:.]\\d|h\\d|\\s?o'?clock|\\s(?:uur|uhr)\\b|(?<=12)\\s(?:noon|midnight)|\\s(?:past|to)\\s(?:\\d|${NUMBER_WORD}|noon|midnight))|${ORDINAL_WORD}(?!\\sthing)|${NUMBER_WORD})`;

/** "march 3rd", "Feb 15, 2027", "aug-20", and "july 4 pm", in which "4 pm" would have no day. */
const monthThenDay = rule(
  `(?:(?:this|(?:this\\s|the\\s)?(?:coming|upcoming)|next)\\s(?!year)|(?<lead>this|next)\\syear,?\\s(?:on\\s)?)?(?<month>${MONTH})(?:\\s?,?\\s?(?:(?:on\\s)?the\\s)?|[-/])(?:${DAY}|(?<!\\d(?:st|nd|rd|th)?\\s(?:of\\s)?${MONTH},?\\s)(?<day>\\d{1,2})(?=\\s(?:[ap]\\.?m|noon|midnight)\\b))(?:${YEAR}|[-./](?<dotted>20\\d\\d|\\d\\d)(?!\\d))`,
  ({ dotted, lead, ...found }, today) =>
    date({ ...found, year: found.year ?? dotted, which: found.which ?? lead }, today),
);

/** "3 march", "the 2nd of March 2027", "22-feb". */
const dayThenMonth = rule(
  `(?:(?<before>20\\d\\d),?\\s)?(?:the\\s)?${DAY}(?:[.,]?\\s?(?:day\\s)?(?:of\\s|in\\s)?(?:(?:this|next|(?:this\\s|the\\s)?(?:coming|upcoming))\\s)?|[-/])(?<month>${MONTH})(?:,)?${YEAR}`,
  ({ before, ...found }, today) => date({ ...found, year: found.year ?? before }, today),
);

/** "31-Aug-27", "31/aug/27", "aug-2027-31", "31-2027-aug", "2027/31/aug". */
const monthInAnyPlace = rule(
  `${inAnyOrder(`(?<month>${MONTH})`)}|(?<day>\\d{1,2})(?<by>[-/])(?<month>${MONTH})\\k<by>(?<year>\\d\\d(?!\\d)|20\\d\\d(?=:\\d\\d:))`,
  date,
);

/** "2027 May 22nd". */
const yearThenMonth = rule(`(?<year>20\\d\\d)(?:,?\\s|-|/)(?<month>${MONTH})(?:\\s|-|/)${DAY}`, date);

function date(found: Groups, today: DateTime): Meaning | undefined {
  const [day, { alone }] = [ordinalOf(found.day), found];
  // "Dec 28 29" is more likely two days than a day in 2029. Nobody schedules in a past year.
  if (alone && (Number(alone) === (day ?? 0) + 1 || fullYear(alone) < today.year)) return undefined;
  return dateIn(day, monthOf(found.month), yearOf(found, today));
}

/** The year in the groups of one of the patterns for years. Undefined without a year. */
export function yearOf(
  { year, short, spoken, which, ahead, alone }: Groups,
  today: DateTime,
): number | undefined {
  const figures = year ?? short ?? alone;
  if (figures !== undefined) return fullYear(figures);
  if (spoken !== undefined)
    return 2000 + (numberOf(spoken.replace(/^(?:two\sthousand(?:\sand)?|twenty)[\s-]/, '')) ?? 0);
  if (which !== undefined) return today.year + (which === 'next' ? 1 : 0);
  return ahead === undefined ? undefined : today.year + (numberOf(ahead) ?? 1);
}

export const monthDateRules: Rules = [
  monthThenDay,
  dayThenMonth,
  needing(/\d[-/]|[-/]\d/, [monthInAnyPlace]),
  needing(/20\d\d/, [yearThenMonth]),
];

/** "3/4", "03/04/2027", "12-11-2027", "27 11 2026". The reader's order turns them. */
const orderedDates = rule(
  '(?<a>\\d{1,2})(?:\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?|\\s?-\\s?(?<b>\\d{1,2})\\s?-\\s?(?<year>\\d{4}|\\d\\d)|(?<![\\d./:-]\\s?\\b\\d{1,2})\\s(?<b>\\d{1,2})\\s(?<year>20[2-5]\\d)(?![\\d:./-]|\\s?h))',
  ({ a, b, year }, today) => yearFirst(a, b, year, today) ?? dateInEitherOrder([Number(a), Number(b), year]),
);

/** "14.9.", "09.08.2027". With dots, the day comes first everywhere. */
const dottedDates = rule(
  '(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})(?:\\.\\s?(?<year>\\d{4}|\\d\\d(?![:.]))|\\.(?!\\d))',
  ({ day, month, year }) =>
    dateIn(Number(day), Number(month), year) ?? dateIn(Number(month), Number(day), year),
);

/** "16.12", "Monday 19.06": a date, or else a time. */
export const pairedDates = rule(
  '(?<![$€£]\\s?|[\\d.,])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?!\\.?\\d|\\s?[ap]\\.?m|\\s?%)',
  ({ day, month }) => dateInEitherOrder([Number(day), Number(month)], { isUsual: false }),
);

/** "25-08", "12-25", "11-12 10am": a number above 24, or the time beside it, shows that these aren't hours. */
const dashedDates = rule(
  '(?<!-)(?<a>\\d{1,2})-(?<b>\\d{1,2})(?!-)(?:(?<timed>(?<=(?:\\d\\s?[ap]m|:\\d\\d)\\son\\s[\\d-]+)|(?=,?\\s(?:at\\s)?\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m)))|)',
  ({ a, b, timed }) =>
    timed !== undefined || Number(a) > 24 || Number(b) > 24
      ? dateInEitherOrder([Number(a), Number(b)])
      : undefined,
);

const ISO_HOUR = '(?<hour>[01]\\d|2[0-3])';
const ISO_MINUTE = '(?<minute>[0-5]\\d)';

/** "2027-01-05T09", "2027-01-05T0930", "20270105", "20270105T0930" (ISO 8601), "202701050930". */
const isoDates = rule(
  `(?<year>20\\d\\d)(?<by>[-/.]?)(?<month>0[1-9]|1[0-2])\\k<by>(?<day>0[1-9]|[12]\\d|3[01])(?:[t_]${ISO_HOUR}(?::?${ISO_MINUTE}(?::?[0-5]\\d(?:[.,]\\d{1,9})?)?)?|(?<=\\d{8})${ISO_HOUR}${ISO_MINUTE}(?:[0-5]\\d)?)?`,
  ({ year, month, day, hour, minute }) => {
    const date = dateIn(Number(day), Number(month), year);
    const time = hour === undefined ? {} : { hour: Number(hour), minute: Number(minute ?? 0) };
    return date && { ...date, ...time };
  },
);

const WEEK = '(?:in\\s)?(?:calendar\\s)?(?:week|wk|cw|kw)\\s?(?:no\\.?\\s|number\\s|#)?';

/** "27-01-22" in 2026: the last number would be a past year, so the first is the year (ISO 8601 before 2004). */
function yearFirst(a?: string, month?: string, day?: string, today?: DateTime): Meaning | undefined {
  if (today === undefined || a?.length !== 2 || day?.length !== 2) return undefined;
  const isOver = fullYear(day) < today.year && fullYear(a) >= today.year;
  return isOver ? dateIn(Number(day), Number(month), a) : undefined;
}

export const numericDateRules: Rules = [
  needing(/[-/]|\d\s\d/, [orderedDates]),
  needing(/\d-\d/, [dashedDates]),
  needing(/\d\./, [dottedDates]),
  needing(/20\d\d/, [isoDates]),
  needing(/w/i, [numberedWeeks(WEEK, '(?:(?:,?\\s(?:of|in)?\\s?|/)(?<year>20\\d\\d))?')]),
];

/** "the 15th", "on the fourteenth", "the 15", "21st". */
const daysOfMonth = rule(
  `(?:the\\s)?(?<day>${ORDINAL_FIGURE})|the\\s(?<day>${ORDINAL_WORD}|\\d{1,2}(?![:.]\\d))`,
  dayIn,
);

const CLOCK_TIME = '(?:\\d{1,2}(?::\\d\\d|(?:\\.\\d\\d)?\\s?[ap]\\.?m\\b)|noon|midday|midnight)';
const AT = '(?:at|@|around|about|approximately)';

/** "9am on 22", "on 22 at 9am", "15 at 8:00", "15, 8pm". */
const numbersBesideTimes = rule(
  `(?<=\\bon\\s)(?<day>\\d{1,2})(?=[\\s.!?]*$|,?\\s(?:${AT}\\s)?${CLOCK_TIME})|(?<=^\\s*)(?:(?<day>\\d{1,2})(?=,?\\s${AT}\\s?${CLOCK_TIME})|(?<day>1[3-9]|2\\d|3[01])(?=,?\\s${CLOCK_TIME}))`,
  dayIn,
);

/** "20th of next month", "the 3rd day of this month", "first of the month". */
const daysOfNamedMonth = rule(
  `(?:the\\s)?(?:(?<day>${ORDINAL_FIGURE}|\\d{1,2}|${ORDINAL_WORD})\\s(?:day\\s)?|day\\s(?<day>\\d{1,2})\\s)(?:of|in)\\s(?:the\\s)?(?:(?<which>this|current|next|coming|following)\\s)?month`,
  dayIn,
);

function dayIn(found: Groups, today: DateTime): Meaning | undefined {
  const day = ordinalOf(found.day);
  if (day === undefined || day < 1 || day > 31) return undefined;
  if (found.which === undefined) return { day };
  const isThis = found.which === 'this' || found.which === 'current';
  const { year, month } = today.startOf('month').plus({ months: isThis ? 0 : 1 });
  return { year, month, day };
}

export const dayOfMonthRules: Rules = [
  needing(/the|\d\s?(?:st|nd|rd|th)/i, [daysOfMonth]),
  needing(/\bon\s|^\s*\d/i, [numbersBesideTimes]),
  needing(/month/i, [daysOfNamedMonth]),
];
