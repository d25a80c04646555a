import type { DateTime } from 'luxon';
import { spellOut } from '../grammar/english/vocabulary.ts';
import { FRACTION } from '../grammar/european/days.ts';
import {
  group,
  inOrder,
  placeWords,
  type ReadingWords,
  spelled,
  withoutAccents,
  wordList,
  yearParts,
} from '../grammar/european/vocabulary.ts';
import {
  inAnyLanguage,
  LANGUAGE_CODES,
  languageCodeOf,
  languageOf,
  readingWordsOf,
} from '../grammar/languages.ts';
import type { Groups } from '../grammar/rule.ts';
import type { LimitedQuestion, NotUnderstood, Question } from '../moment.ts';
import { correctionNotes, tidyText } from '../tidy-text.ts';
import { clockIn, midnightOf } from '../zones/wall-clock.ts';

/** The day of a question in its zone, as a midnight in UTC. */
export function todayOf({ now, zone }: Question): DateTime {
  return midnightOf(clockIn(zone, now));
}

/** Tidies a text for all readings. Spells out abbreviations if English is the only language. */
export function prepareText(text: string, locale: string): string {
  const tidy = tidyText(text);
  // "Am 1./8./15. März".
  if (languageCodeOf(locale) !== undefined)
    return tidy
      .replace(GLUED_WEEKDAYS, (days) => [...days].join('・'))
      .replace(/(?<=\d\.)\/(?=\d{1,2}\.)/g, ', ');
  return spellOut(tidy.replaceAll(WEEKDAY_LETTERS, spellOutLetters)).replaceAll(DAILY_PARTS, 'every $1');
}

/** The weekdays in "月水金 7時", unlike those in 土日 and 月曜日. */
const GLUED_WEEKDAYS = /(?<=毎週|^|[^一-鿿\d])[月火水木金土日]{3,7}(?![一-鿿])/gu;

/** "Mornings" is every morning. */
const DAILY_PARTS = /\b(?:in the )?(morning|afternoon|evening|night)s\b/gi;

/** "M/W/F", "Tu/Th", "MWF" and "M-F". */
const WEEKDAY_LETTERS =
  /(?<![\p{L}\d/])(?:MWF|TTh|M-F|(?:M|Tu?|W|Th|R|F|Sat?|Su)(?:\/(?:M|Tu?|W|Th|R|F|Sat?|Su))+)(?![\p{L}\d/])/giu;

/** "T" is Tuesday and "S" Saturday. "R" is Thursday. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function spellOutLetters(text: string): string {
  const letters = text.includes('/') ? text.split('/') : (text.match(/Th|\p{L}/giu) ?? []);
  const weekdayOf = (word: string) => WEEKDAYS.find((day) => day.startsWith(word.toLowerCase())) ?? 'thu';
  return letters.map(weekdayOf).join(text.includes('-') ? '-' : ', ');
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

const JOINT = new RegExp(
  `^(?:${inAnyLanguage(({ grammar, edges }) => spelled(`${grammar.and}|${edges.to}`))}|[-~])$`,
  'i',
);

/** Whether a list or a range goes on after the word in any language: "and", "bis". "9 a" is in the morning. */
export function expectsMore(word: string): boolean {
  return JOINT.test(withoutAccents(word)) && (word.length > 1 || /[^ap]/i.test(word));
}

const PERIODS = ['week', 'weekend', 'month', 'quarter', 'year'] as const;

/** The locale's language, then English, because people mix them. */
export function readingLexicons(locale: string): readonly ReadingLexicon[] {
  const code = languageCodeOf(locale);
  return (code === undefined ? ['en'] : [code, 'en']).map((each) => lexiconOf(each));
}

const lexiconOf = perLanguage((code: string) => compile(readingWordsOf(code)));

/** The compiled words of a language, for text without accents. */
export type ReadingLexicon = ReturnType<typeof compile>;

function compile(words: ReadingWords) {
  const { grammar, stretches, repeats } = words;
  const numbers = wordList(grammar.numbers);
  const weekdays = wordList(inOrder(grammar.weekdays, 0));
  const units = wordList(grammar.units);
  const isGlued = words.isGlued === true;
  const gap = isGlued ? '\\s?' : '\\s';
  const and = group(grammar.and);
  return {
    words,
    /** Sunday is 0, January 1. */
    weekdays,
    months: wordList(inOrder(grammar.months, 1)),
    units,
    nouns: wordList(PERIODS.map((period) => [stretches.nouns[period], period] as const)),
    pastDays: wordList(inOrder(stretches.pastDays, -2)),
    /** "First" is 1, and "last" 5. */
    ordinals: wordList(inOrder(placeWords(grammar), 1)),
    yearParts: wordList(yearParts(words)),
    /** A pattern for a unit after another count than a number: "ein paar Tage", "half an hour", "1 1/2 hours". */
    counted: `(?:${wordList(grammar.counts).pattern}|${FRACTION})[\\s-]?(?:${group(grammar.afterCount)}[\\s-]?)?${units.pattern}`,
    numberOf: (text: string | undefined): number | undefined =>
      text !== undefined && /^\d+$/.test(text) ? Number(text) : numbers.meaningOf(text),
    /** A pattern for days that repeat, such as "every day" and "weekdays". */
    repeated: [repeats.everyDay, repeats.workdays, repeats.weekends, repeats.everyPart].join('|'),
    /** A pattern for a weekday such as "mondays". */
    weekday: `(?:${weekdays.pattern}(?:${spelled(repeats.weekdayEnding)}))`,
    /** Patterns between two items of a list, between two words, and for the edges of a word. */
    between: `(?:\\s?[,;、・]\\s?(?:${and}${gap})?|${gap}${and}${gap}|\\s?&\\s?)`,
    gap,
    start: isGlued ? '' : '(?<![a-z\\d])',
    end: isGlued ? '' : '(?![a-z\\d])',
  };
}

/** Matches whole words anywhere, in text without accents. */
export function anywhere({ start, end }: ReadingLexicon, pattern: string, flags = 'i'): RegExp {
  return new RegExp(`${start}(?:${spelled(pattern)})${end}`, flags);
}

/** The first words of a text that match a pattern, and the text without them. */
export function cutOut(
  text: string,
  pattern: RegExp,
): { words: string; groups: Groups; rest: string } | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [words] = found;
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + words.length)}`;
  return { words, groups: found.groups ?? {}, rest };
}

/** Some of the words of a text, which follow each other. */
export interface Run {
  start: number;
  end: number;
}

/** All runs of words, the longest first. */
export function* runsOf(words: readonly unknown[], maxLength: number): Generator<Run> {
  for (let length = Math.min(words.length, maxLength); length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) yield { start, end: start + length };
  }
}

const MAX_OTHER_LANGUAGES = 2;

/** Words that tell a language from others. */
const typicalWords = perLanguage((lexicon) => {
  const words = [lexicon.repeated, lexicon.words.repeats.unsupported, lexicon.weekday];
  return anywhere(lexicon, words.join('|'), 'gi');
});

/** Languages with typical words in the text, other than the locale's and English. The likeliest is first. */
export function otherLanguages(text: string, locale: string): readonly string[] {
  const known = new Set(readingLexicons(locale));
  const plain = withoutAccents(text);
  const counts = LANGUAGE_CODES.filter((code) => !known.has(lexiconOf(code))).map((code) => ({
    code,
    count: (plain.match(typicalWords(lexiconOf(code))) ?? []).length,
  }));
  const likely = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return likely.slice(0, MAX_OTHER_LANGUAGES).map(({ code }) => code);
}

/** Matches the whole text after fillers. */
export function alone({ words, gap }: ReadingLexicon, pattern: string): RegExp {
  const fillers = words.fillers === '' ? '' : `(?:(?:${spelled(words.fillers)})${gap})*`;
  return new RegExp(`^${fillers}(?:${pattern})$`, 'i');
}

/**
 * A pattern from templates. "#" is a group `count` and "§" a group `unit`. Both match any word: patterns with all number
 * words take long to compile, so meanings are looked up afterwards.
 */
export function fromTemplates({ words, units }: ReadingLexicon, templates: readonly string[]): string {
  const [anyCount, anyUnit] = words.isGlued ? ['', units.pattern] : ['|[^\\s\\d]+', '[^\\s\\d,]+'];
  const patterns = templates.map((template) =>
    spelled(template).replace('#', `(?<count>\\d{1,4}${anyCount})`).replace('§', `(?<unit>${anyUnit})`),
  );
  return `(?:${patterns.join('|')})`;
}

/** Builds once for each language: its lexicon, or its code. */
export function perLanguage<T, Language = ReadingLexicon>(
  build: (language: Language) => T,
): (language: Language) => T {
  const built = new Map<Language, T>();
  return (language) => {
    const made = built.get(language) ?? build(language);
    built.set(language, made);
    return made;
  };
}
