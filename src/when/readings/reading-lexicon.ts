import { FRACTION } from '../grammar/european/durations.ts';
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
import { LANGUAGE_CODES, languageCodeOf, readingWordsOf } from '../grammar/languages.ts';
import type { Groups } from '../grammar/rule.ts';

const JOINT = new RegExp(
  `^(?:${LANGUAGE_CODES.map(readingWordsOf)
    .map(({ grammar, edges }) => spelled(`${grammar.and}|${edges.to}`))
    .join('|')}|[-~])$`,
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
export function anywhere({ start, end }: ReadingLexicon, pattern: string): RegExp {
  return new RegExp(`${start}(?:${spelled(pattern)})${end}`, 'i');
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
  return new RegExp(anywhere(lexicon, words.join('|')).source, 'gi');
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
