import type { Parser } from 'chrono-node';
import { rule, type Said } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import { spelled } from './spelling.ts';

/** Dates in figures, the day first: "3/4", "3/4/27", "3-4-2027", "14.9.", "14.9.2027". */
export function numericDates({ words }: Lexicon): Parser[] {
  return [
    rule(
      'slashed-dates',
      '(?<a>\\d{1,2})\\s?/\\s?(?<b>\\d{1,2})(?:\\s?/\\s?(?<year>\\d{4}|\\d\\d))?(?![/\\d])',
      ({ a, b, year }) => eitherOrder(Number(a), Number(b), year),
    ),
    rule('dashed-dates', `(?<day>\\d{1,2})-(?<month>\\d{1,2})-(?<year>\\d{4}|'?\\d\\d)(?![-\\d])`, read),
    rule(
      'dotted-dates',
      `(?<![\\d.])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}(?![:.]\\d))|(?<year>\\d\\d)(?![:.\\d]))?`,
      read,
    ),
    rule('spaced-dates', '(?<day>\\d{1,2})\\s(?<month>\\d{1,2})\\s(?<year>20\\d\\d)(?![:.\\d])', read),
    ...(words.dashedDates
      ? [rule('short-dashed-dates', '(?<day>\\d{1,2})-(?<month>\\d{1,2})(?![-\\d])', read)]
      : []),
  ];
}

/** "10.10": two figures with one dot, which could be a time as well. */
export const bareDottedDates = rule(
  'bare-dotted-dates',
  '(?<![\\d.])(?<day>\\d{1,2})\\.(?<month>\\d{1,2})(?![.:\\d])',
  read,
);

/** "am 10.10", "Mi 10.10": there it is a date only. */
export function markedDottedDates({ words, weekdays }: Lexicon): Parser {
  const before = `(?:${spelled(words.dayMarker)})\\s(?:${weekdays.pattern}\\.?,?\\s)?(?:(?:${spelled(words.dayMarker)})\\s)?`;
  return rule(
    'marked-dotted-dates',
    `${before}(?<day>\\d{1,2})[.-](?<month>\\d{1,2})(?![-.:\\d])`,
    ({ day, month }) => inOrder(Number(day), Number(month), undefined),
  );
}

function read({ day, month, year }: Readonly<Record<string, string | undefined>>): Said | undefined {
  return inOrder(Number(day), Number(month), year);
}

/** Where a slash parts them, the order of day and month is open to those who read English too. */
function eitherOrder(a: number, b: number, year: string | undefined): Said | undefined {
  const asWritten = inOrder(a, b, year);
  const turned = inOrder(b, a, year);
  if (asWritten === undefined || turned === undefined || a === b) return asWritten ?? turned;
  return { ...asWritten, marks: ['either-order'] };
}

function inOrder(day: number, month: number, year: string | undefined): Said | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  const figures = year?.replace("'", '');
  if (figures === undefined) return { day, month };
  return { day, month, year: figures.length === 2 ? 2000 + Number(figures) : Number(figures) };
}
