import { spelled } from './spelling.ts';

/** Words (each a small pattern) and what each of them means. */
export type Meanings<T> = readonly (readonly [string, T])[];

export interface WordList<T> {
  /** Any of the words, longer ones first. */
  pattern: string;
  meaningOf(text: string | undefined): T | undefined;
}

/** A list that never matches where the language has no such words. */
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

/** Words whose meaning is their place in the list, counted from `first`. */
export function inOrder(patterns: readonly string[], first: number): Meanings<number> {
  return patterns.map((pattern, index) => [pattern, index + first] as const);
}
