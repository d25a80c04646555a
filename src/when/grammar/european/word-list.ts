import type { Parser } from 'chrono-node';
import type { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { spelled } from './spelling.ts';

/** Words (each a small pattern) and the meaning of each. */
export type Meanings<T> = readonly (readonly [string, T])[];

export interface WordList<T> {
  /** Any of the words, longer ones first. */
  pattern: string;
  meaningOf(text: string | undefined): T | undefined;
}

/** A list that never matches if the language has no such words. */
export function wordList<T>(meanings: Meanings<T> = []): WordList<T> {
  const longestFirst = meanings.toSorted(([a], [b]) => b.length - a.length);
  const words = longestFirst.map(([pattern, meaning]) => ({
    exact: new RegExp(`^(?:${spelled(pattern)})$`, 'i'),
    meaning,
  }));
  const any = longestFirst.map(([pattern]) => spelled(pattern)).join('|');
  return {
    pattern: any === '' ? '(?!)' : `(?:${any})`,
    meaningOf: (text) =>
      text === undefined ? undefined : words.find(({ exact }) => exact.test(text))?.meaning,
  };
}

/** A rule for any of the words, with other patterns before and after them. */
export function wordRule<T>(
  meanings: Meanings<T> | undefined,
  read: (meaning: T, today: DateTime) => Meaning,
  { before = '', after = '' } = {},
): Parser {
  const { pattern, meaningOf } = wordList(meanings);
  return rule(`${before}(?<word>${pattern})${after}`, ({ word }, today) => {
    const meaning = meaningOf(word);
    return meaning === undefined ? undefined : read(meaning, today);
  });
}

/** The patterns of each meaning. */
export function byMeaning<T extends string | number>(
  words: Readonly<Partial<Record<T, string | readonly string[]>>>,
): Meanings<T> {
  return Object.keys(words).flatMap((key) => {
    const meaning = (/^\d+$/.test(key) ? Number(key) : key) as T;
    return [words[meaning] ?? []].flat().map((pattern) => [pattern, meaning] as const);
  });
}

/** Patterns separated by commas, each with its alternatives: "januar|jan, februar|feb". */
export function patternsIn(list: string): readonly string[] {
  return list.split(/,\s+/).map((pattern) => `(?:${pattern.trim()})`);
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const;

/** The patterns of the units of time, from seconds to years. */
export function unitsIn(list: string): Meanings<(typeof UNITS)[number]> {
  const patterns = patternsIn(list);
  return UNITS.map((unit, index) => [patterns[index] ?? '(?!)', unit] as const);
}

/** Words that mean their place in the list, counted from `first`. */
export function inOrder(patterns: readonly string[], first: number): Meanings<number> {
  return patterns.map((pattern, index) => [pattern, index + first] as const);
}

/** Numbers to 59: the words up to the first compound, the tens, and how a ten and a unit make one word. */
export function numerals({
  small,
  tens,
  compound,
}: {
  small: readonly string[];
  tens: Readonly<Record<number, string>>;
  compound: (ten: string, unit: string, value: number) => string;
}): Meanings<number> {
  const numbers = new Map<number, string>(small.map((word, value) => [value, word] as const));
  for (const [figure, ten] of Object.entries(tens)) {
    const value = Number(figure);
    if (!numbers.has(value)) numbers.set(value, ten);
    for (let unit = 1; unit <= 9; unit += 1) {
      if (!numbers.has(value + unit))
        numbers.set(value + unit, compound(ten, small[unit] ?? '', value + unit));
    }
  }
  return [...numbers].map(([value, word]) => [word, value] as const);
}
