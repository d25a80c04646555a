import { Chrono } from 'chrono-node/en';
import type { NotUnderstood } from '../moment.ts';
import type { Corrected } from './correct-words.ts';

/** What reading a language takes, whatever its grammar is made of. */
export interface Language {
  /** Grammars that take the same words differently ("10.10" as a date, as a time), the likelier first. */
  readings: readonly Chrono[];
  /** The parsers that only some of these have. If they find nothing, the first reads the same as the others. */
  differences: Chrono;
  /** The text as the grammars want it, of the same length. */
  prepare(text: string): string;
  isFiller(text: string): boolean;
  /** Whether the whole text is "now" or means it. */
  isNow(text: string): boolean;
  /** Why the words are no single moment to come, or undefined where nothing says so. */
  refusalOf(text: string): NotUnderstood | undefined;
  /** The text with its slips put right, where it is not understood as it is written. */
  correctTypos(text: string): Corrected;
  /** Phrases that always work, for those whose own did not. */
  examples: readonly string[];
  /** A pattern for weekdays in a prepared text, and their numbers. Sunday is 0. */
  weekdays: { pattern: string; meaningOf(word: string | undefined): number | undefined };
  /** Whether a text, prepared, is worth trying for a reader of another language: it has a word for a day or a time. */
  hasTimeWord(text: string): boolean;
}

export function withDifferences(readings: readonly Chrono[]): Pick<Language, 'readings' | 'differences'> {
  const all = new Set(readings.flatMap(({ parsers }) => parsers));
  const parsers = [...all].filter((parser) => !readings.every((each) => each.parsers.includes(parser)));
  return { readings, differences: new Chrono({ parsers, refiners: [] }) };
}
