import { spelled } from '../../grammar/european/spelling.ts';
import { perLanguage, plainLetters, type ReadingLexicon } from '../words/reading-lexicon.ts';
import type { ListQuestion } from './list-question.ts';

const separators = perLanguage(({ words, gap }) => {
  const and = spelled(words.and);
  return new RegExp(`\\s*[,;、]\\s*(?:${and}\\s)?|${gap}${and}${gap}|\\s?&\\s?|\\s[/|]\\s|・`, 'gi');
});

/** One or two figures, which only the words around them make a day or an hour. */
export const NUMBER_ALONE = /^(?:the\s)?(?<number>\d{1,2}(?:st|nd|rd|th|er|º|\.)?)$/i;

/**
 * The words of a list, piece by piece. What a comma parts stays together where it is one piece to the grammar too:
 * "Dec 1, 2026", "Tue 1 Dec, 09:00".
 */
export function splitList(text: string, lexicon: ReadingLexicon, question: ListQuestion): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let isAfterComma = false;
  const add = (piece: string): void => {
    const before = pieces.at(-1);
    const together = `${before}, ${piece}`;
    if (isAfterComma && before !== undefined && isOnePiece(before, piece, together, question))
      pieces[pieces.length - 1] = together;
    else if (piece !== '') pieces.push(piece);
  };
  for (const match of plainLetters(text).matchAll(separators(lexicon))) {
    add(text.slice(start, match.index).trim());
    start = match.index + match[0].length;
    isAfterComma = match[0].trim() === ',';
  }
  add(text.slice(start).trim());
  return pieces;
}

function isOnePiece(before: string, piece: string, together: string, question: ListQuestion): boolean {
  if (NUMBER_ALONE.test(before) || NUMBER_ALONE.test(piece)) return false;
  const last = question.piece(piece);
  if (last !== undefined && last.rest === '') return false;
  return question.piece(together) !== undefined;
}
