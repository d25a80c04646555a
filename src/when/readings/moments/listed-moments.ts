import type { DateTime } from 'luxon';
import { type DateExpression, type Expression, isElapsed, saysDay, saysTime } from '../../expression.ts';
import { group, withoutAccents } from '../../grammar/european/vocabulary.ts';
import type { Read } from '../../grammar/read-grammar.ts';
import { readWords } from '../../grammar/read-words.ts';
import { allMatches } from '../../grammar/rule.ts';
import { oncePerRequest } from '../../limits.ts';
import { type LimitedQuestion, type MomentReading, type NotUnderstood, notUnderstood } from '../../moment.ts';
import { readInZones } from '../../understand-moment.ts';
import type { ZoneMeaning } from '../../zones/zone-index.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import { perLanguage, type ReadingLexicon, todayOf } from '../question.ts';
import { dayOrHour, FIRST_NUMBER, LAST_NUMBER, LONE_NUMBER } from '../ranges/pairs.ts';

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
  question: LimitedQuestion,
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
function wordsOf({ day, time, zone }: Combination, question: LimitedQuestion): string {
  const place = zone !== undefined && zone.rest === '' ? ` ${zone.words}` : '';
  if (day === time || day === undefined || time === undefined) {
    const own = day ?? time ?? zone;
    return own === undefined || zone === undefined || own === zone ? (own?.words ?? '') : own.rest + place;
  }
  const dayWords = partsOf(day, question)?.day ?? day.rest;
  const timeWords = partsOf(time, question)?.time ?? time.rest;
  return `${dayWords} ${timeWords}${place}`;
}

function readingOf(combination: Combination, question: LimitedQuestion): MomentReading {
  const { now, zone } = question;
  const words = combination.day?.words ?? combination.time?.words ?? '';
  const read = (today: DateTime) => together(combination, today, question);
  return readInZones(combination.zone?.zones ?? [{ zone }], { words, now, zone, read });
}

function together(
  { day, time }: Combination,
  today: DateTime,
  { locale, dateOrder, limits }: LimitedQuestion,
): Read | NotUnderstood {
  const read = (words: string) => readWords(words, today, { locale, dateOrder, limits });
  const ofDay = day === undefined ? undefined : followDate(read(day.rest), day.after);
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
  const notes = [...ofDay.notes, ...(ofTime?.notes ?? [])];
  return { kind: 'read', expressions, notes, isWhole: notes.length === 0 };
}

/** "The 8th" after "July 1" is in July, and "the 2nd" after "July 30" in August. */
function followDate(read: Read | NotUnderstood, after: DateExpression | undefined): Read | NotUnderstood {
  if (after === undefined || read.kind === 'not-understood') return read;
  const expressions = read.expressions.map((each): Expression => {
    if (each.day?.kind !== 'day-of-month') return each;
    const isNext = each.day.day < after.day;
    const month = isNext ? (after.month % 12) + 1 : after.month;
    const year = after.year && after.year + Number(month < after.month);
    return { ...each, day: { ...after, day: each.day.day, month, year, weekday: each.day.weekday } };
  });
  return { ...read, expressions };
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
function blocksOf(pieces: readonly Piece[], question: LimitedQuestion): readonly Block[] {
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

function takes({ days, times, zones }: Block, piece: Piece, question: LimitedQuestion): boolean {
  if (!piece.hasDay && !piece.hasTime) return true;
  // "In 9 hours" goes with no other day or time.
  if (piece.isElapsed) return false;
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
      const pieces = source?.[aspect] ?? [];
      return source === blocks[index] ? pieces : pieces.filter((piece) => !piece.isElapsed);
    };
    return { days: fill('days'), times: fill('times'), zones: fill('zones') };
  });
}

/** A piece of a list: a day, a time, a zone, or several of these. */
interface Piece {
  words: string;
  /** The words without the zone. */
  rest: string;
  zones: readonly ZoneMeaning[];
  hasDay: boolean;
  hasTime: boolean;
  isElapsed: boolean;
  /** The date that it names with its month, or that of a piece before it. */
  date?: DateExpression | undefined;
  after?: DateExpression | undefined;
}

/** Reads a piece. Undefined if a word isn't understood. */
function pieceOf(words: string, question: LimitedQuestion): Piece | undefined {
  const { now, zone, locale, limits } = question;
  return once(limits, [+now, zone, locale, words].join(' '), () => readPiece(words, question));
}

/** The parts of a list are joined and separated in several ways. */
const once = oncePerRequest<Piece | undefined>();

function readPiece(words: string, question: LimitedQuestion): Piece | undefined {
  const { locale, limits } = question;
  const { rest: between, meanings: zones } = findZoneWords(words, { locale, limits });
  const rest = between.replaceAll(/\s+/g, ' ').trim();
  if (zones.length > 0 && /^[\s,()]*$/.test(rest))
    return { words, rest: '', zones, hasDay: false, hasTime: false, isElapsed: false };
  const read = readWords(rest, todayOf(question), { locale, limits });
  if (read.kind === 'not-understood') return undefined;
  const { expressions } = read;
  const [day] = expressions.map((each) => each.day);
  return {
    ...{ words, rest, zones, date: day?.kind === 'date' && !day.isPeriod ? day : undefined },
    hasDay: expressions.some(saysDay),
    hasTime: expressions.some(saysTime),
    isElapsed: expressions.some(isElapsed),
  };
}

/** The words of a piece for its day and its time, and which of them is first. */
interface PieceParts {
  day: string;
  time: string;
  leads: 'day' | 'time';
}

/** Separates the words for the day and for the time. Undefined if that isn't possible. */
function partsOf({ rest, hasDay, hasTime }: Piece, question: LimitedQuestion): PieceParts | undefined {
  if (!hasDay || !hasTime) return undefined;
  const words = rest.split(' ');
  for (let count = 1; count < words.length; count += 1) {
    const start = words.slice(0, count).join(' ').replace(/,$/, '');
    const end = words.slice(count).join(' ');
    const [first, last] = [pieceOf(start, question), pieceOf(end, question)];
    if (first === undefined || last === undefined) continue;
    if (first.hasDay && !first.hasTime && last.hasTime && !last.hasDay)
      return { day: start, time: end, leads: 'day' };
    if (first.hasTime && !first.hasDay && last.hasDay && !last.hasTime)
      return { day: end, time: start, leads: 'time' };
  }
  return undefined;
}

const separators = perLanguage(({ words, weekdays, between, start, end }) => {
  const weekday = `${weekdays.pattern}\\.?`;
  const slash = `(?<=${start}${weekday})/(?=${weekday}${end})`;
  // "Mon wed fri 9am" is a list, unlike "friday sunday 2 for 1".
  const time = `(?:(?!${weekday}\\s)[a-z@]\\D{0,7}\\d|\\d{1,2}(?:[:.]?\\d\\d|\\s?(?:[ap]\\.?m?|[hu]|${group(words.grammar.hourUnit)})(?![a-z])))`;
  const blank = `(?<=${start}${weekday})\\s(?=(?:${weekday}\\s)+${time})`;
  return new RegExp(`${between}|\\s[/|]\\s|${slash}|${blank}`, 'gi');
});

/** Splits a list into pieces. Keeps "Dec 1, 2026" and "Tue 1 Dec, 09:00" together. */
function splitList(text: string, lexicon: ReadingLexicon, question: LimitedQuestion): readonly string[] {
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
  for (const match of allMatches(withoutAccents(text), separators(lexicon))) {
    add(text.slice(start, match.index).trim());
    start = match.index + match[0].length;
    isAfterComma = match[0].trim() === ',';
  }
  add(text.slice(start).trim());
  return pieces;
}

function isOnePiece(before: string, piece: string, together: string, question: LimitedQuestion): boolean {
  if (LONE_NUMBER.test(before) || LONE_NUMBER.test(piece)) return false;
  const last = pieceOf(piece, question);
  if (last !== undefined && last.rest === '') return false;
  return pieceOf(together, question) !== undefined;
}

/** Reads each piece, and numbers with the pieces around them. `piece` is missing if the words aren't understood. */
function readPieces(
  list: readonly string[],
  question: LimitedQuestion,
): readonly { words: string; piece?: Piece }[] {
  const alone = list.map((words) => (LONE_NUMBER.test(words) ? undefined : pieceOf(words, question)));
  let after: DateExpression | undefined;
  return list.map((words, index) => {
    const piece = alone[index] ?? inContext(words, index, alone, question);
    after = piece?.date ?? after;
    return piece === undefined ? { words } : { words, piece: { ...piece, words, after } };
  });
}

/**
 * Reads a number. It takes its month from the next date ("1, 8 and 15 december") or the date before it ("december 1, 8
 * and 15 at noon"). Otherwise it's an hour.
 */
function inContext(
  words: string,
  index: number,
  pieces: readonly (Piece | undefined)[],
  question: LimitedQuestion,
): Piece | undefined {
  const number = LONE_NUMBER.exec(words)?.groups?.number;
  const next = pieces.slice(index + 1).find((piece) => piece !== undefined);
  const before = pieces.slice(0, index).findLast((piece) => piece !== undefined);
  if (number !== undefined && next !== undefined && hasFigureOfDay(next)) {
    const date = partsOf(next, question)?.day ?? next.rest;
    const day = pieceOf(date.replace(FIRST_NUMBER, number), question);
    if (day?.hasDay === true) return { ...day, hasTime: false };
  }
  if (before?.hasDay === true && !before.hasTime && LAST_NUMBER.test(before.rest)) {
    const day = pieceOf(before.rest.replace(LAST_NUMBER, words), question);
    if (day?.hasDay === true) return day;
  }
  return number === undefined ? undefined : pieceOf(dayOrHour(number), question);
}

/** Whether a date begins with its day, such as "15 december at noon" or "the 15th". */
function hasFigureOfDay({ rest, hasDay }: Piece): boolean {
  const figure = FIRST_NUMBER.exec(rest);
  return (
    hasDay && figure !== null && /^(?:the |on |am |le |el |il |op )*$/i.test(rest.slice(0, figure.index))
  );
}
