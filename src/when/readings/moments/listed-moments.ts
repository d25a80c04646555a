import type { DateTime } from 'luxon';
import { type Expression, saysDay, saysTime } from '../../expression.ts';
import type { Read } from '../../grammar/read-grammar.ts';
import { readWords } from '../../grammar/read-words.ts';
import { type MomentReading, type NotUnderstood, notUnderstood } from '../../moment.ts';
import { readInZones } from '../../understand-moment.ts';
import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import { type ListQuestion, type Piece, partsOf, readPieces, splitList } from './list-pieces.ts';

export interface ListedMoment {
  words: string;
  reading: MomentReading;
}

/** A line with more days, times and zones is no list. */
const MAX_PIECES = 32;

/** Enough moments to refuse a list that is too long. */
const MAX_READ_MOMENTS = 64;

/** Reads the list in a prepared line. Undefined if it's no list. */
export function listedMoments(
  text: string,
  lexicon: ReadingLexicon,
  question: ListQuestion,
): readonly ListedMoment[] | undefined {
  const list = splitList(text, lexicon, question);
  if (list.length < 2 || list.length > MAX_PIECES) return undefined;
  const read = readPieces(list, question);
  const pieces = read.map(({ piece }) => piece).filter((piece) => piece !== undefined);
  if (!pieces.some(({ hasDay, hasTime }) => hasDay || hasTime)) return undefined;
  const combined = blocksOf(pieces, question).flatMap(combinations).slice(0, MAX_READ_MOMENTS);
  const unread = read.filter(({ piece }) => piece === undefined);
  return [
    ...combined.map((each) => ({ words: wordsOf(each, question), reading: readingOf(each, question) })),
    ...unread.map(({ words }) => ({
      words,
      reading: notUnderstood(words, 'I didn’t understand every word.'),
    })),
  ];
}

interface Combination {
  day: Piece | undefined;
  time: Piece | undefined;
  zone: Piece | undefined;
}

function orNone<T>(items: readonly T[]): readonly (T | undefined)[] {
  return items.length === 0 ? [undefined] : items;
}

function combinations({ days, times, zones }: Block): readonly Combination[] {
  return orNone(days).flatMap((day) =>
    orNone(times).flatMap((time) => orNone(zones).map((zone) => ({ day, time, zone }))),
  );
}

/** The words of a combination, each once. A piece with day and time gives only its used part. */
function wordsOf({ day, time, zone }: Combination, question: ListQuestion): string {
  const place = zone !== undefined && zone.rest === '' ? ` ${zone.words}` : '';
  if (day === time || day === undefined || time === undefined) {
    const own = day ?? time ?? zone;
    return own === undefined || zone === undefined || own === zone ? (own?.words ?? '') : own.rest + place;
  }
  const dayWords = partsOf(day, question)?.day ?? day.rest;
  const timeWords = partsOf(time, question)?.time ?? time.rest;
  return `${dayWords} ${timeWords}${place}`;
}

function readingOf(combination: Combination, question: ListQuestion): MomentReading {
  const { now, zone } = question;
  const words = combination.day?.words ?? combination.time?.words ?? '';
  const read = (today: DateTime) => together(combination, today, question);
  return readInZones(combination.zone?.zones ?? [{ zone }], { words, now, zone, read });
}

function together(
  { day, time }: Combination,
  today: DateTime,
  { locale }: ListQuestion,
): Read | NotUnderstood {
  const read = (words: string) => readWords(words, today, { locale });
  const ofDay = day === undefined ? undefined : read(day.rest);
  const ofTime = time === undefined || time === day ? undefined : read(time.rest);
  if (ofDay?.kind === 'not-understood') return ofDay;
  if (ofTime?.kind === 'not-understood') return ofTime;
  if (ofDay === undefined) return ofTime ?? notUnderstood('', 'I found no date or time.');
  if (time === day) return ofDay;
  const times = orNone(ofTime?.expressions.filter(saysTime) ?? []);
  const expressions = ofDay.expressions.filter(saysDay).flatMap((each) =>
    times.map((other): Expression => {
      const { isSameTime = false, time: minutes, part } = other ?? {};
      return { ...each, isSameTime, time: minutes, part };
    }),
  );
  return { kind: 'read', expressions, notes: [...ofDay.notes, ...(ofTime?.notes ?? [])] };
}

/** Pieces that belong together: each day is combined with each time and each zone. */
interface Block {
  days: Piece[];
  times: Piece[];
  zones: Piece[];
}

/**
 * Groups pieces into blocks: "mon and wed 9am, fri 10am and 5pm" has two. A block takes what it lacks from the block
 * before it, or else from the first block that has it.
 */
function blocksOf(pieces: readonly Piece[], question: ListQuestion): readonly Block[] {
  const blocks: Block[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    const block =
      last !== undefined && takes(last, piece, question) ? last : { days: [], times: [], zones: [] };
    if (block !== last) blocks.push(block);
    if (piece.hasDay) block.days.push(piece);
    if (piece.hasTime) block.times.push(piece);
    if (piece.zones.length > 0) block.zones.push(piece);
  }
  return filled(blocks);
}

function takes({ days, times, zones }: Block, piece: Piece, question: ListQuestion): boolean {
  if (!piece.hasDay && !piece.hasTime) return true;
  if (zones.length > 0 || (days.length > 0 && times.length > 0)) return false;
  if (days.length > 0) return true;
  return !(piece.hasDay && piece.hasTime) || partsOf(piece, question)?.leads !== 'day';
}

/** Fills the gaps of each block. A zone that is named once applies to all blocks. */
function filled(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((_, index) => {
    const fill = (aspect: keyof Block): Piece[] => {
      const hasAspect = (block: Block): boolean => block[aspect].length > 0;
      const source = blocks.slice(0, index + 1).findLast(hasAspect) ?? blocks.find(hasAspect);
      return source?.[aspect] ?? [];
    };
    return { days: fill('days'), times: fill('times'), zones: fill('zones') };
  });
}
