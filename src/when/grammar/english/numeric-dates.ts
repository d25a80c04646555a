import type { Parser } from 'chrono-node';
import { rule, type Said } from '../rule.ts';
import { WEEKDAY } from './calendar-words.ts';
import { fullYear } from './month-dates.ts';

/** "3/4", "03/04/2027", "12-11-2027": the order of day and month is the reader's, and open where both could be. */
export function slashedDates(dayFirst: boolean): Parser {
  return rule(
    'slashed-dates',
    '(?<a>\\d{1,2})(?:\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?|-(?<c>\\d{1,2})-(?<dashed>\\d{4}))',
    ({ a, b, c, year, dashed }) => ordered(Number(a), Number(b ?? c), year ?? dashed, dayFirst),
  );
}

/** "14.9.", "09.08.2027": with dots the day comes first everywhere. */
export const dottedDates = rule(
  'dotted-dates',
  '(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})(?:\\.\\s?(?<year>\\d{4}|\\d\\d(?![:.]))|\\.(?!\\d))',
  ({ day, month, year }) => inOrder(Number(day), Number(month), year),
);

/** "Monday 19.06": two figures with one dot are a date only beside a weekday, and a time elsewhere. */
export const dottedDatesOfWeekdays = rule(
  'dotted-dates-of-weekdays',
  `(?<=${WEEKDAY}[\\s,]{1,2})(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?!\\s?[ap]\\.?m)`,
  ({ day, month }) => ordered(Number(day), Number(month), undefined, true),
);

function ordered(a: number, b: number, year: string | undefined, dayFirst: boolean): Said | undefined {
  const [day, month] = dayFirst ? [a, b] : [b, a];
  const asWritten = inOrder(day, month, year);
  const turned = inOrder(month, day, year);
  if (asWritten === undefined || turned === undefined || day === month) return asWritten ?? turned;
  return { ...asWritten, marks: ['either-order'] };
}

function inOrder(day: number, month: number, year: string | undefined): Said | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return year === undefined ? { day, month } : { day, month, year: fullYear(year) };
}
