import type { Parser } from 'chrono-node';
import type { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { fullYear } from './years.ts';

/** "3/4", "03/04/2027", "12-11-2027": the order of day and month is the reader's, and open where both could be. */
export function slashedDates(dayFirst: boolean): Parser {
  return rule(
    '(?<a>\\d{1,2})(?:\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?|\\s?-\\s?(?<c>\\d{1,2})\\s?-\\s?(?<dashed>\\d{4}|\\d\\d))',
    ({ a, b, c, year, dashed }, today) =>
      yearFirst(a, b ?? c, year ?? dashed, today) ??
      ordered(Number(a), Number(b ?? c), year ?? dashed, dayFirst),
  );
}

/** "14.9.", "09.08.2027": with dots the day comes first everywhere. */
export const dottedDates = rule(
  '(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})(?:\\.\\s?(?<year>\\d{4}|\\d\\d(?![:.]))|\\.(?!\\d))',
  ({ day, month, year }) =>
    inOrder(Number(day), Number(month), year) ?? inOrder(Number(month), Number(day), year),
);

/** "16.12", "Monday 19.06": two figures with one dot are a date, or else a time. */
export const pairedDates = rule(
  '(?<![$€£]\\s?|[\\d.,])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?!\\.?\\d|\\s?[ap]\\.?m|\\s?%)',
  ({ day, month }) => ordered(Number(day), Number(month), undefined, true),
);

/** "25-08", "12-25": one figure is above the clock's 24, so that this is no range of hours and no time. */
export const dashedDates = rule('(?<!-)(?<a>\\d{1,2})-(?<b>\\d{1,2})(?!-)', ({ a, b }) =>
  Number(a) > 24 || Number(b) > 24 ? ordered(Number(a), Number(b), undefined, true) : undefined,
);

/** "2027-01-05T09", "2027-01-05T0930", "2027-01-05T09:30:00.123456": what chrono does not read of ISO 8601. */
export const bareIsoTimes = rule(
  '(?<year>20\\d\\d)[-/.](?<month>0[1-9]|1[0-2])[-/.](?<day>0[1-9]|[12]\\d|3[01])[t_](?<hour>[01]\\d|2[0-3])(?::?(?<minute>[0-5]\\d)(?::?[0-5]\\d(?:[.,]\\d{1,9})?)?)?',
  ({ year, month, day, hour, minute }) => ({
    ...{ year: Number(year), month: Number(month), day: Number(day) },
    ...{ hour: Number(hour), minute: Number(minute ?? 0) },
  }),
);

/** "20270105", "20270105T0930". */
export const compactDates = rule(
  '(?<year>20\\d\\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\\d|3[01])(?:T(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)(?:[0-5]\\d(?:\\.\\d{1,6})?)?)?',
  ({ year, month, day, hour, minute }) => {
    const date = { year: Number(year), month: Number(month), day: Number(day) };
    return hour === undefined ? date : { ...date, hour: Number(hour), minute: Number(minute) };
  },
);

/** "27 11 2026": three figures in a row, the last of them a year. */
export function spacedDates(dayFirst: boolean): Parser {
  return rule(
    '(?<![\\d./:-]\\s?)(?<a>\\d{1,2})\\s(?<b>\\d{1,2})\\s(?<year>20[2-5]\\d)(?![\\d:./-]|\\s?h)',
    ({ a, b, year }) => ordered(Number(a), Number(b), year, dayFirst),
  );
}

/** "27-01-22" in 2026: where the last figures are a year that is over, the first are the year (ISO 8601 before 2004). */
function yearFirst(a?: string, month?: string, day?: string, today?: DateTime): Meaning | undefined {
  if (today === undefined || a?.length !== 2 || day?.length !== 2) return undefined;
  const isOver = fullYear(day) < today.year && fullYear(a) >= today.year;
  return isOver ? inOrder(Number(day), Number(month), a) : undefined;
}

function ordered(a: number, b: number, year: string | undefined, dayFirst: boolean): Meaning | undefined {
  const [day, month] = dayFirst ? [a, b] : [b, a];
  const asWritten = inOrder(day, month, year);
  const turned = inOrder(month, day, year);
  if (asWritten === undefined || turned === undefined || day === month) return asWritten ?? turned;
  return { ...asWritten, isEitherOrder: true };
}

function inOrder(day: number, month: number, year: string | undefined): Meaning | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return year === undefined ? { day, month } : { day, month, year: fullYear(year) };
}
