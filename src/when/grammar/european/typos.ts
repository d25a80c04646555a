import { type Corrected, correctWords } from '../typos/correct-words.ts';
import { withoutAccents } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Puts weekdays, months and words for days right that are one letter off: "Dienstga", "febreo", "demian". */
export function typos(words: Vocabulary): (text: string) => Corrected {
  const { dayWords, wordsThemselves } = words.typos;
  const meant = [...words.weekdays, ...words.months].flatMap(namesIn).concat(dayWords.split(' '));
  // All whole words of the language's rules are words of their own: days, and what makes them over, repeated or a range.
  const known = JSON.stringify(words).match(/(?<![\])\p{L}'])[\p{L}']+(?![\p{L}'[(\\?])/gu) ?? [];
  const isWord = new Set([...known, ...wordsThemselves.split(/\s+/)].map(plain));
  return (text) => correctWords(text, { meant, isWord: (word) => isWord.has(word), plain });
}

/** "sonntag" of "(?:sonntag|so(?! um))": long enough to be told, and not what only follows it. */
function namesIn(pattern: string): readonly string[] {
  return pattern.replace(/\(\?!.*$/u, '').match(/(?<![\p{L} ])\p{L}{5,}/gu) ?? [];
}

function plain(word: string): string {
  return withoutAccents(word.toLowerCase());
}
