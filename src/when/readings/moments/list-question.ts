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

/** The words of a piece that name its day and those that name its time, and which come first. */
interface PieceParts {
  day: string;
  time: string;
  leads: 'day' | 'time';
}

/** Undefined where they cannot be told apart. */
export function partsOf({ rest, hasDay, hasTime }: Piece, question: ListQuestion): PieceParts | undefined {
  if (!hasDay || !hasTime) return undefined;
  const words = rest.split(' ');
  for (let count = 1; count < words.length; count += 1) {
    const start = words.slice(0, count).join(' ').replace(/,$/, '');
    const end = words.slice(count).join(' ');
    const [first, last] = [question.piece(start), question.piece(end)];
    if (first === undefined || last === undefined) continue;
    if (first.hasDay && !first.hasTime && last.hasTime && !last.hasDay)
      return { day: start, time: end, leads: 'day' };
    if (first.hasTime && !first.hasDay && last.hasDay && !last.hasTime)
      return { day: end, time: start, leads: 'time' };
  }
  return undefined;
}
