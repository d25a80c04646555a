import type { DateTime } from 'luxon';
import { correctionNotes } from '../grammar/correct-words.ts';
import { spellOut } from '../grammar/english/spelling.ts';
import type { ReadingWords } from '../grammar/european/vocabulary.ts';
import { languageCodeOf, languageOf } from '../grammar/languages.ts';
import { type Limits, readWithinLimits } from '../limits.ts';
import { type NotUnderstood, notUnderstood } from '../moment.ts';
import { tidyText } from '../tidy-text.ts';
import { clockIn } from '../zones/wall-clock.ts';
import { readingWords } from './reading-lexicon.ts';

/** A text, and where and when it was written. */
export interface Question {
  text: string;
  now: Date;
  /** The IANA name of the zone, unless the text names one. */
  zone: string;
  /** The BCP 47 locale: language, order of 03/04, first weekday. Defaults to en-US. */
  locale?: string;
}

/** A question that is part of a reading. */
export interface LimitedQuestion extends Question {
  limits: Limits;
}

/** The day of a question in its zone, as a midnight in UTC. */
export function todayOf({ now, zone }: Question): DateTime {
  return clockIn(zone, now).startOf('day');
}

/** Reads a question within the limits. Refusals get examples in the reader's language. */
export function readWithExamples<Reading extends object>(
  kind: keyof ReadingWords['examples'],
  question: Question & { maxLines?: number },
  read: (limits: Limits) => Reading | NotUnderstood,
): Reading | NotUnderstood {
  const { text, locale = 'en-US', maxLines = 1 } = question;
  const tooLong = (reason: string) => notUnderstood('', reason);
  const reading = readWithinLimits<Reading | NotUnderstood>({ text, maxLines, tooLong }, read);
  if (!('examples' in reading)) return reading;
  return { ...reading, examples: readingWords(locale).examples[kind] };
}

/** Tidies a text for all readings. Spells out abbreviations if English is the only language. */
export function prepareText(text: string, locale: string): string {
  const tidy = tidyText(text);
  if (languageCodeOf(locale) !== undefined) return tidy;
  return spellOut(tidy.replaceAll(WEEKDAY_LETTERS, spellOutLetters)).replaceAll(DAILY_PARTS, 'every $1');
}

/** "Mornings" is every morning. */
const DAILY_PARTS = /\b(?:in the )?(morning|afternoon|evening|night)s\b/gi;

/** "M/W/F", "Tu/Th" and "MWF". */
const WEEKDAY_LETTERS =
  /(?<![\p{L}\d/])(?:MWF|TTh|(?:M|Tu?|W|Th|R|F|Sat?|Su)(?:\/(?:M|Tu?|W|Th|R|F|Sat?|Su))+)(?![\p{L}\d/])/giu;

/** "T" is Tuesday and "S" Saturday. "R" is Thursday. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function spellOutLetters(text: string): string {
  const letters = text.includes('/') ? text.split('/') : (text.match(/Th|\p{L}/giu) ?? []);
  const weekdayOf = (word: string) => WEEKDAYS.find((day) => day.startsWith(word.toLowerCase())) ?? 'thu';
  return letters.map(weekdayOf).join(', ');
}

/** Corrects typos, with notes about the corrections. Undefined if there are none. */
export function correctText(
  prepared: string,
  locale: string,
): { text: string; notes: readonly string[] } | undefined {
  const corrected = languageOf(locale).correctTypos(prepared);
  if (corrected.corrections.length === 0) return undefined;
  return { text: corrected.text, notes: correctionNotes(corrected) };
}
