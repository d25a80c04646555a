import type { ListQuestion } from './list-question.ts';
import { partsOf } from './list-question.ts';
import type { Piece } from './piece.ts';
import { NUMBER_ALONE } from './split-list.ts';

/** A piece as it was written, and what it is; without `piece` it was not understood. */
interface ReadPiece {
  words: string;
  piece?: Piece;
}

const FIGURE = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?';
const FIRST_FIGURE = new RegExp(`(?<![\\d/.:-])${FIGURE}(?![\\d:/]|\\.\\d|-\\d)`, 'i');
const LAST_FIGURE = new RegExp(`(?<![\\d/.:-])${FIGURE}$`, 'i');

/** Each piece by itself, or where it is a number with what the pieces around it say. */
export function readPieces(list: readonly string[], question: ListQuestion): readonly ReadPiece[] {
  const alone = list.map((words) => (NUMBER_ALONE.test(words) ? undefined : question.piece(words)));
  return list.map((words, index) => {
    const piece = alone[index] ?? inContext(words, index, alone, question);
    return piece === undefined ? { words } : { words, piece: { ...piece, words } };
  });
}

/**
 * "1, 8 and 15 december": a number takes its month from the date that follows it, or from the one before
 * ("december 1, 8 and 15 at noon"). Where there is none, it is an hour.
 */
function inContext(
  words: string,
  index: number,
  pieces: readonly (Piece | undefined)[],
  question: ListQuestion,
): Piece | undefined {
  const number = NUMBER_ALONE.exec(words)?.groups?.number;
  const next = pieces.slice(index + 1).find((piece) => piece !== undefined);
  const before = pieces.slice(0, index).findLast((piece) => piece !== undefined);
  if (number !== undefined && next !== undefined && hasFigureOfDay(next)) {
    const date = partsOf(next, question)?.day ?? next.rest;
    const day = question.piece(date.replace(FIRST_FIGURE, number));
    if (day?.hasDay === true) return { ...day, hasTime: false };
  }
  if (before?.hasDay === true && !before.hasTime && LAST_FIGURE.test(before.rest)) {
    const day = question.piece(before.rest.replace(LAST_FIGURE, words));
    if (day?.hasDay === true) return day;
  }
  if (number === undefined) return undefined;
  return /^\d+$/.test(number) ? question.piece(`at ${number}`) : question.piece(words);
}

/** A date that begins with its day, such as "15 december at noon" or "the 15th". */
function hasFigureOfDay({ rest, hasDay }: Piece): boolean {
  const figure = FIRST_FIGURE.exec(rest);
  return (
    hasDay && figure !== null && /^(?:the |on |am |le |el |il |op )*$/i.test(rest.slice(0, figure.index))
  );
}
