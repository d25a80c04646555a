import type { DateTime } from 'luxon';
import { type Read, readWords } from '../../grammar/read-words.ts';
import type { NotUnderstood } from '../../moment.ts';
import type { Question } from '../question.ts';
import { type Piece, pieceOf } from './piece.ts';

/** A question whose pieces are looked at from many sides: each is read once. */
export interface ListQuestion extends Question {
  locale: string;
  read: (words: string, today: DateTime) => Read | NotUnderstood;
  /** The words as a piece; undefined where not all of them are understood. */
  piece: (words: string) => Piece | undefined;
}

export function listQuestion({ locale = 'en-US', ...question }: Question): ListQuestion {
  const reads = new Map<string, Read | NotUnderstood>();
  const pieces = new Map<string, Piece | undefined>();
  const read = (words: string, today: DateTime): Read | NotUnderstood => {
    const key = `${today.toMillis()} ${words}`;
    const known = reads.get(key) ?? readWords(words, today, locale);
    reads.set(key, known);
    return known;
  };
  const piece = (words: string): Piece | undefined => {
    if (!pieces.has(words)) pieces.set(words, pieceOf(words, { ...question, locale, read }));
    return pieces.get(words);
  };
  return { ...question, locale, read, piece };
}
