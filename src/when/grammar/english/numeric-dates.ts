import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { dateOf, type Meaning } from '../piece.ts';
import { numberedWeeks, rule } from '../rule.ts';
import { fullYear } from './month-dates.ts';

/** "3/4", "03/04/2027", "12-11-2027", in the order of day and month that the reader's region writes. */
function slashedDates(dayFirst: boolean): Parser {
  return rule(
    '(?<a>\\d{1,2})(?:\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?|\\s?-\\s?(?<c>\\d{1,2})\\s?-\\s?(?<dashed>\\d{4}|\\d\\d))',
    ({ a, b, c, year, dashed }, today) =>
      yearFirst(a, b ?? c, year ?? dashed, today) ??
      inEitherOrder(Number(a), Number(b ?? c), year ?? dashed, dayFirst),
  );
}

/** "27 11 2026". */
function spacedDates(dayFirst: boolean): Parser {
  return rule(
    '(?<![\\d./:-]\\s?)(?<a>\\d{1,2})\\s(?<b>\\d{1,2})\\s(?<year>20[2-5]\\d)(?![\\d:./-]|\\s?h)',
    ({ a, b, year }) => inEitherOrder(Number(a), Number(b), year, dayFirst),
  );
}

/** "14.9.", "09.08.2027". With dots, the day comes first everywhere. */
const dottedDates = rule(
  '(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})(?:\\.\\s?(?<year>\\d{4}|\\d\\d(?![:.]))|\\.(?!\\d))',
  ({ day, month, year }) =>
    inOrder(Number(day), Number(month), year) ?? inOrder(Number(month), Number(day), year),
);

/** "16.12", "Monday 19.06": a date, or else a time. */
export const pairedDates = rule(
  '(?<![$€£]\\s?|[\\d.,])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?!\\.?\\d|\\s?[ap]\\.?m|\\s?%)',
  ({ day, month }) => inEitherOrder(Number(day), Number(month), undefined, true, false),
);

/** "25-08", "12-25", "11-12 10am": a number above 24, or the time beside it, shows that these aren't hours. */
function dashedDates(dayFirst: boolean): Parser {
  return rule(
    '(?<!-)(?<a>\\d{1,2})-(?<b>\\d{1,2})(?!-)(?:(?<timed>(?<=(?:\\d\\s?[ap]m|:\\d\\d)\\son\\s[\\d-]+)|(?=,?\\s(?:at\\s)?\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m)))|)',
    ({ a, b, timed }) =>
      timed !== undefined || Number(a) > 24 || Number(b) > 24
        ? inEitherOrder(Number(a), Number(b), undefined, dayFirst)
        : undefined,
  );
}

const ISO_HOUR = '(?<hour>[01]\\d|2[0-3])';
const ISO_MINUTE = '(?<minute>[0-5]\\d)';

/** "2027-01-05T09", "2027-01-05T0930", "20270105", "20270105T0930" (ISO 8601), "202701050930". */
const isoDates = rule(
  `(?<year>20\\d\\d)(?<by>[-/.]?)(?<month>0[1-9]|1[0-2])\\k<by>(?<day>0[1-9]|[12]\\d|3[01])(?:[t_]${ISO_HOUR}(?::?${ISO_MINUTE}(?::?[0-5]\\d(?:[.,]\\d{1,9})?)?)?|(?<=\\d{8})${ISO_HOUR}${ISO_MINUTE}(?:[0-5]\\d)?)?`,
  ({ year, month, day, hour, minute }) => {
    const date = inOrder(Number(day), Number(month), year);
    return date && { ...date, ...timeOf(hour, minute) };
  },
);

/** "2026-W50-3T09:30", "2026W503", "2026-359": the day of a week or of the year (ISO 8601). */
const isoDays = rule(
  `(?<date>20\\d\\d(?:-w\\d\\d-[1-7]|w\\d\\d[1-7]|-[0-3]\\d\\d(?!-)))(?:T${ISO_HOUR}:?${ISO_MINUTE}(?::?[0-5]\\d)?)?`,
  ({ date = '', hour, minute }) => {
    const day = DateTime.fromISO(date.toUpperCase(), { zone: 'utc' });
    return day.isValid ? { ...dateOf(day), ...timeOf(hour, minute) } : undefined;
  },
);

const WEEK = '(?:in\\s)?(?:calendar\\s)?(?:week|wk|cw|kw)\\s?(?:no\\.?\\s|number\\s|#)?';

function timeOf(hour?: string, minute?: string): Meaning {
  return hour === undefined ? {} : { hour: Number(hour), minute: Number(minute ?? 0) };
}

/** "27-01-22" in 2026: the last number would be a past year, so the first is the year (ISO 8601 before 2004). */
function yearFirst(a?: string, month?: string, day?: string, today?: DateTime): Meaning | undefined {
  if (today === undefined || a?.length !== 2 || day?.length !== 2) return undefined;
  const isOver = fullYear(day) < today.year && fullYear(a) >= today.year;
  return isOver ? inOrder(Number(day), Number(month), a) : undefined;
}

function inEitherOrder(
  a: number,
  b: number,
  year: string | undefined,
  dayFirst: boolean,
  isUsual = true,
): Meaning | undefined {
  const [day, month] = dayFirst ? [a, b] : [b, a];
  const likelier = inOrder(day, month, year);
  const other = inOrder(month, day, year);
  if (likelier === undefined || other === undefined || day === month) return likelier ?? other;
  return { ...likelier, isEitherOrder: isUsual ? 'by-weekday' : true };
}

function inOrder(day: number, month: number, year: string | undefined): Meaning | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return year === undefined ? { day, month } : { day, month, year: fullYear(year) };
}

/** `dayFirst` is the order in the reader's region. */
export const numericDateRules = (dayFirst: boolean): readonly Parser[] => [
  slashedDates(dayFirst),
  spacedDates(dayFirst),
  dashedDates(dayFirst),
  dottedDates,
  isoDates,
  numberedWeeks('(?<year>20\\d\\d)-?w', ''),
  numberedWeeks(WEEK, '(?:(?:,?\\s(?:of|in)?\\s?|/)(?<year>20\\d\\d))?'),
  isoDays,
];
