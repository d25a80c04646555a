import { DateTime } from 'luxon';
import { saysDay, saysTime } from '../../expression.ts';
import { readWords } from '../../grammar/read-words.ts';
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
  const { expressions } = read;
  return { words, rest, zones, hasDay: expressions.some(saysDay), hasTime: expressions.some(saysTime) };
}

function todayIn({ now, zone }: Question): DateTime {
  return DateTime.fromMillis(wallClockAt(now.getTime(), zone), { zone: 'utc' }).startOf('day');
}
