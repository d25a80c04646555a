import { DateTime } from 'luxon';
import { readWords } from '../../grammar/read-words.ts';
import type { Spoken } from '../../spoken.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import type { AbbreviatedZone } from '../../zones/zone-abbreviations.ts';
import { findZoneWords } from '../../zones.ts';
import type { Question } from '../question.ts';

/** One of the pieces that a list is made of: a day, a time, a zone, or several of these. */
export interface Piece {
  words: string;
  /** The words without those for a zone. */
  rest: string;
  zones: readonly AbbreviatedZone[];
  hasDay: boolean;
  hasTime: boolean;
}

/** The words as a piece; undefined where not all of them are understood. */
export function pieceOf(words: string, question: Question & { locale: string }): Piece | undefined {
  const { locale } = question;
  const { rest: between, meanings: zones } = findZoneWords(words, locale);
  const rest = between.replaceAll(/\s+/g, ' ').trim();
  if (zones.length > 0 && /^[\s,()]*$/.test(rest))
    return { words, rest: '', zones, hasDay: false, hasTime: false };
  const read = readWords(rest, todayIn(question), locale);
  if (read.kind === 'not-understood') return undefined;
  const { spokens } = read;
  return { words, rest, zones, hasDay: spokens.some(saysDay), hasTime: spokens.some(saysTime) };
}

function todayIn({ now, zone }: Question): DateTime {
  return DateTime.fromMillis(wallClockAt(now.getTime(), zone), { zone: 'utc' }).startOf('day');
}

export function saysDay(spoken: Spoken): boolean {
  const { day, after, isToday, beside, pastHour } = spoken;
  return isToday || [day, after, beside, pastHour].some((each) => each !== undefined);
}

export function saysTime({ time, part, isSameTime, after, pastHour }: Spoken): boolean {
  const isPassing = after !== undefined && after.as('days') % 1 !== 0;
  return isSameTime || isPassing || [time, part, pastHour].some((each) => each !== undefined);
}
