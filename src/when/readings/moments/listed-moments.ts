import type { DateTime } from 'luxon';
import { decide, type MomentCandidates } from '../../decide.ts';
import { type Expression, saysDay, saysTime } from '../../expression.ts';
import { type Read, readWords } from '../../grammar/read-words.ts';
import type { MomentReading, NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { momentsIn } from '../../understand-moment.ts';
import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import { type Block, blocksOf } from './blocks.ts';
import type { ListQuestion } from './list-question.ts';
import { partsOf } from './list-question.ts';
import type { Piece } from './piece.ts';
import { readPieces } from './read-pieces.ts';
import { splitList } from './split-list.ts';

/** One of a list: its words, and what they were read as. */
export interface ListedMoment {
  words: string;
  reading: MomentReading;
}

/** As many days, times and zones as nobody would write in one line. */
const MOST_PIECES = 32;

/** More of them are read only to say that they are too many. */
const MOST_TO_READ = 64;

/** The moments that a list in one line names; undefined where the words are no list. `text` is prepared. */
export function listedMoments(
  text: string,
  lexicon: ReadingLexicon,
  question: ListQuestion,
): readonly ListedMoment[] | undefined {
  const list = splitList(text, lexicon, question);
  if (list.length < 2 || list.length > MOST_PIECES) return undefined;
  const read = readPieces(list, question);
  const pieces = read.map(({ piece }) => piece).filter((piece) => piece !== undefined);
  if (!pieces.some(({ hasDay, hasTime }) => hasDay || hasTime)) return undefined;
  const combined = blocksOf(pieces, question).flatMap(combinations).slice(0, MOST_TO_READ);
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

function combinations({ days, times, zones }: Block): readonly Combination[] {
  const orNone = (pieces: readonly Piece[]): readonly (Piece | undefined)[] =>
    pieces.length === 0 ? [undefined] : pieces;
  return orNone(days).flatMap((day) =>
    orNone(times).flatMap((time) => orNone(zones).map((zone) => ({ day, time, zone }))),
  );
}

/** Each word once, and of a piece with day and time only what this moment has of it. */
function wordsOf({ day, time, zone }: Combination, question: ListQuestion): string {
  if (day === time || day === undefined || time === undefined) {
    const own = day ?? time;
    return own === undefined || zone === undefined || own === zone
      ? (own?.words ?? zone?.words ?? '')
      : `${own.rest} ${zone.rest === '' ? zone.words : ''}`.trim();
  }
  const dayWords = partsOf(day, question)?.day ?? day.rest;
  const timeWords = partsOf(time, question)?.time ?? time.rest;
  const place = zone !== undefined && zone.rest === '' ? ` ${zone.words}` : '';
  return `${dayWords} ${timeWords}${place}`;
}

function readingOf(combination: Combination, question: ListQuestion): MomentReading {
  const { now, zone } = question;
  const meanings = combination.zone?.zones ?? [{ zone }];
  const words = combination.day?.words ?? combination.time?.words ?? '';
  const found: MomentCandidates[] = [];
  for (const meaning of meanings) {
    const read = momentsIn(meaning, {
      words,
      now,
      zone,
      read: (today) => together(combination, today, question),
    });
    if (read.kind === 'not-understood') return read;
    found.push(read);
  }
  return decide(found, now);
}

/** What the day's words and the time's words say as one. */
function together(
  { day, time }: Combination,
  today: DateTime,
  { locale }: ListQuestion,
): Read | NotUnderstood {
  const read = (words: string) => readWords(words, today, locale);
  const ofDay = day === undefined ? undefined : read(day.rest);
  const ofTime = time === undefined || time === day ? undefined : read(time.rest);
  if (ofDay?.kind === 'not-understood') return ofDay;
  if (ofTime?.kind === 'not-understood') return ofTime;
  if (ofDay === undefined) return ofTime ?? notUnderstood('', 'I found no date or time.');
  const days = ofDay.expressions.filter(saysDay);
  const times = ofTime?.expressions.filter(saysTime) ?? [];
  if (time === day) return ofDay;
  const expressions =
    times.length === 0
      ? days.map((expression) => withTimeOf(expression, undefined))
      : days.flatMap((expression) => times.map((each) => withTimeOf(expression, each)));
  return { kind: 'read', expressions, notes: [...ofDay.notes, ...(ofTime?.notes ?? [])] };
}

function withTimeOf({ time: _, part: __, ...day }: Expression, other: Expression | undefined): Expression {
  const { time, part } = other ?? {};
  return {
    ...day,
    isSameTime: other?.isSameTime ?? false,
    ...(time === undefined ? {} : { time }),
    ...(part === undefined ? {} : { part }),
  };
}
