import type { Question } from '../question.ts';
import { type Piece, pieceOf } from './piece.ts';

/** A question whose pieces are looked at from many sides: each is read once. */
export interface ListQuestion extends Question {
  locale: string;
  /** The words as a piece; undefined where not all of them are understood. */
  piece: (words: string) => Piece | undefined;
}

export function listQuestion({ locale = 'en-US', ...question }: Question): ListQuestion {
  const pieces = new Map<string, Piece | undefined>();
  const piece = (words: string): Piece | undefined => {
    if (!pieces.has(words)) pieces.set(words, pieceOf(words, { ...question, locale }));
    return pieces.get(words);
  };
  return { ...question, locale, piece };
}
