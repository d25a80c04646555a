import { Chrono } from 'chrono-node/en';
import type { NotUnderstood } from '../moment.ts';
import type { Corrected } from './correct-words.ts';

/** A language other than English. */
export interface Language {
  /** Grammars that read the same words differently ("10.10" as a date or a time), the likelier first. */
  readings: readonly Chrono[];
  /** The parsers that only some of these have. If they find nothing, the first reads the same as the others. */
  differences: Chrono;
  /** Prepares the text for the grammars. The result has the same length. */
  prepare(text: string): string;
  isFiller(text: string): boolean;
  /** Whether the whole text is "now" or means it. */
  isNow(text: string): boolean;
  /** The reason if words show that the text isn't one future moment. */
  refusalOf(text: string): NotUnderstood | undefined;
  /** Corrects typos in a text that isn't understood. */
  correctTypos(text: string): Corrected;
  /** Phrases that always work. */
  examples: readonly string[];
  /** A pattern for weekdays in a prepared text, and their numbers. Sunday is 0. */
  weekdays: { pattern: string; meaningOf(word: string | undefined): number | undefined };
  /** Whether a prepared text has a word for a day or a time, so that readers of other languages may mean this one. */
  hasTimeWord(text: string): boolean;
}

export function withDifferences(readings: readonly Chrono[]): Pick<Language, 'readings' | 'differences'> {
  const all = new Set(readings.flatMap(({ parsers }) => parsers));
  const parsers = [...all].filter((parser) => !readings.every((each) => each.parsers.includes(parser)));
  return { readings, differences: new Chrono({ parsers, refiners: [] }) };
}
