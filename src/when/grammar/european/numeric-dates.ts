import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { group } from './spelling.ts';
import type { Lexicon } from './vocabulary.ts';

/** Dates in figures, the day first: "3/4", "3/4/27", "3-4-2027", "14.9.", "14.9.2027". */
export function numericDates(lexicon: Lexicon): Parser[] {
  const { words } = lexicon;
  const marker = `(?:${group(words.dayMarker)}\\s)?`;
  return [
    rule(
      `${marker}(?<a>\\d{1,2})\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?(?![/\\d])`,
      ({ a, b, year }) => eitherOrder(Number(a), Number(b), year),
    ),
    rule(`(?<day>\\d{1,2})-(?<month>\\d{1,2})-(?<year>\\d{4}|'?\\d\\d)(?![-\\d])`, read),
    rule(
      `(?<![\\d.])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}(?![:.]\\d))|(?<year>\\d\\d)(?![:.\\d]))?`,
      read,
    ),
    rule(
      `(?<day>\\d{1,2})\\s(?<month>\\d{1,2})\\s(?<year>20\\d\\d|\\d\\d)(?![:.\\d]|\\s?${group(words.hourUnit)})`,
      read,
    ),
    markedDottedDates(lexicon),
    ...(words.dashedDates ? [rule('(?<day>\\d{1,2})-(?<month>\\d{1,2})(?![-\\d])', read)] : []),
  ];
}

/** "10.10": could be a time as well. */
export const bareDottedDates = rule('(?<![\\d.])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?![.:\\d])', read);

/** "am 10.10", "Mi 10.10": only a date. */
function markedDottedDates({ words, weekdays }: Lexicon): Parser {
  const before = `${group(words.dayMarker)}\\s(?:${weekdays.pattern}\\.?,?\\s)?(?:${group(words.dayMarker)}\\s)?`;
  return rule(`${before}(?<day>\\d{1,2})[.-](?<month>\\d{1,2})(?![-.:\\d])`, ({ day, month }) =>
    inOrder(Number(day), Number(month), undefined),
  );
}

function read({ day, month, year }: Readonly<Record<string, string | undefined>>): Meaning | undefined {
  return inOrder(Number(day), Number(month), year);
}

/** The day comes first. Only a weekday can turn a date with a slash around. */
function eitherOrder(a: number, b: number, year: string | undefined): Meaning | undefined {
  const asWritten = inOrder(a, b, year);
  const turned = inOrder(b, a, year);
  if (asWritten === undefined || turned === undefined || a === b) return asWritten ?? turned;
  return { ...asWritten, isEitherOrder: 'by-weekday' };
}

function inOrder(day: number, month: number, year: string | undefined): Meaning | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  const figures = year?.replace("'", '');
  if (figures === undefined) return { day, month };
  return { day, month, year: figures.length === 2 ? 2000 + Number(figures) : Number(figures) };
}
