import { meridiem } from './clock.ts';
import { spelled } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';
import { inOrder, type WordList, wordList } from './word-list.ts';

/** A vocabulary's words, compiled once and shared by all rules of the language. */
export interface Lexicon {
  words: Vocabulary;
  weekdays: WordList<number>;
  months: WordList<number>;
  /** "am", "p.m.". */
  meridiem: string;
  /** Figures or words. */
  number: string;
  numberOf(text: string | undefined): number | undefined;
  /** "1er", "premier". */
  ordinal: string;
  /** The value of an ordinal or number; undefined for neither. */
  dayOf(text: string | undefined): number | undefined;
}

export function lexicon(words: Vocabulary): Lexicon {
  const numbers = wordList(words.numbers);
  const ordinals = wordList(words.ordinals);
  const ending = spelled(words.ordinalEnding);
  const figures = new RegExp(`^(\\d{1,2})(?:\\s?(?:${ending}))?$`, 'i');
  const numberOf = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : numbers.meaningOf(text);
  return {
    words,
    weekdays: wordList(inOrder(words.weekdays, 0)),
    months: wordList(inOrder(words.months, 1)),
    meridiem: meridiem(words.spacedAm),
    number: numbers.pattern,
    numberOf,
    ordinal: `(?:\\d{1,2}\\s?(?:${ending})|${ordinals.pattern})`,
    dayOf: (text) => {
      const figure = text === undefined ? undefined : figures.exec(text)?.[1];
      return figure === undefined ? (ordinals.meaningOf(text) ?? numbers.meaningOf(text)) : Number(figure);
    },
  };
}
