import { DateTime } from 'luxon';
import { rule } from '../rule.ts';
import { periodDate, saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const PART =
  '(?:q\\s?(?<q>[1-4])|(?<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th)\\squarter|h\\s?(?<h>[12])(?!\\w)|(?<half>first|second|1st|2nd)\\shalf)';

const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: 4 };

/**
 * "Q1", "the third quarter of 2027", "end of q4", "start of h2 next year": a quarter or a half of a year, its first
 * or last day; where neither is named, both are meant. One that has begun is this year's only at its end.
 */
export const quarters = rule(
  `(?:(?<before>20\\d\\d)[-\\s/]?)?(?:(?:the\\s)?(?:(?<end>end|last\\sday)|(?<start>start|beginning|first\\sday))\\sof\\s)?(?:the\\s)?${PART}${YEAR_BESIDE}`,
  ({ before, end, start, q, ordinal, h, half, ...words }, today) => {
    const size = q === undefined && ordinal === undefined ? 6 : 3;
    const written = q ?? ordinal ?? h ?? half ?? '';
    const number = ORDINALS[written] ?? Number.parseInt(written, 10);
    const named = yearBeside({ ...words, year: words.year ?? before }, today);
    if (half !== undefined && named === undefined) return undefined;
    const ofYear = (year: number) => DateTime.utc(year, 1, 1).plus({ months: (number - 1) * size });
    const endOf = (begin: DateTime) => begin.plus({ months: size }).minus({ days: 1 });
    const begin = ofYear(named ?? today.year);
    const isOver = named === undefined && (end === undefined ? begin : endOf(begin)) < today;
    const meant = isOver ? ofYear(today.year + 1) : begin;
    if (end !== undefined) return saidDate(endOf(meant));
    return start === undefined ? periodDate(meant, [endOf(meant)]) : saidDate(meant);
  },
);
