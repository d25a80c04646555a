import type { DateTime } from 'luxon';
import { correctionNotes } from '../grammar/correct-words.ts';
import { spellOut } from '../grammar/english/spelling.ts';
import type { ReadingWords } from '../grammar/european/vocabulary.ts';
import { languageCodeOf, languageOf, readingWordsOf } from '../grammar/languages.ts';
import { readWithinLimits } from '../limits.ts';
import {
  DEFAULT_LOCALE,
  type LimitedQuestion,
  type NotUnderstood,
  notUnderstood,
  type Question,
} from '../moment.ts';
import { tidyText } from '../tidy-text.ts';
import { clockIn, midnightOf } from '../zones/wall-clock.ts';
import { otherLanguages } from './reading-lexicon.ts';

/** The day of a question in its zone, as a midnight in UTC. */
export function todayOf({ now, zone }: Question): DateTime {
  return midnightOf(clockIn(zone, now));
}

/** Reads a question within the limits. Refusals get examples in the reader's language. */
export function readWithExamples<Reading extends object>(
  kind: keyof ReadingWords['examples'],
  question: Question & { maxLines?: number },
  read: (question: LimitedQuestion) => Reading | NotUnderstood,
): Reading | NotUnderstood {
  const { text, locale = DEFAULT_LOCALE, maxLines = 1 } = question;
  const reading = readWithinLimits<Reading | NotUnderstood>(
    { text, maxLines, tooLong: (reason) => notUnderstood('', reason) },
    (limits) => read({ ...question, locale, limits }),
  );
  if (!('examples' in reading)) return reading;
  return { ...reading, examples: readingWordsOf(languageCodeOf(locale)).examples[kind] };
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

/**
 * Reads a prepared text in the locale's language and English. If these don't understand it, reads it in the languages that
 * it seems to be in, and then with its typos corrected.
 */
export function readInLanguages<
  Reading extends { kind: 'understood' | 'ambiguous'; notes: readonly string[] },
>(
  question: LimitedQuestion,
  read: (prepared: string, question: LimitedQuestion) => Reading | NotUnderstood,
): Reading | NotUnderstood {
  const { text, locale } = question;
  const prepared = prepareText(text, locale);
  const own = read(prepared, question);
  if (own.kind !== 'not-understood') return own;
  for (const other of otherLanguages(text, locale)) {
    const reading = read(prepareText(text, other), { ...question, locale: other });
    if (reading.kind !== 'not-understood') return reading;
  }
  const corrected = languageOf(locale).correctTypos(prepared);
  const reading = corrected.corrections.length === 0 ? own : read(corrected.text, question);
  if (reading.kind === 'not-understood') return own;
  return { ...reading, notes: [...correctionNotes(corrected), ...reading.notes] };
}
