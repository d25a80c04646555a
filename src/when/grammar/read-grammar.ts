import type { Chrono, ParsedResult } from 'chrono-node';
import type { DateTime } from 'luxon';
import { type Expression, expressionOf } from '../expression.ts';
import { type NotUnderstood, notUnderstood, REASONS } from '../moment.ts';
import { isPlainFiller } from './english/fillers.ts';
import type { Language } from './language.ts';
import { piecesIn } from './merge-pieces.ts';
import { meaningOf } from './piece.ts';

/** All meanings of the words, the likeliest first. At least one. */
export interface Read {
  kind: 'read';
  expressions: readonly Expression[];
  /** Notes for people about what was assumed. */
  notes: readonly string[];
}

/** Reads with all grammars of a language other than English. */
export function readOwn(language: Language, text: string, today: DateTime): Read | NotUnderstood {
  const prepared = language.prepare(text);
  const refusal = language.refusalOf(prepared);
  if (refusal !== undefined)
    return { ...refusal, unparsedText: asWritten(refusal.unparsedText, prepared, text) };
  const isReadAlike = piecesIn(prepared, language.differences, today.toJSDate()).length === 0;
  const readings = language.readings
    .slice(0, isReadAlike ? 1 : undefined)
    .map((chrono) =>
      readGrammar(chrono, { isFiller: language.isFiller, canLeave: leavesNothing }, prepared, today),
    );
  const read = readings.filter((reading) => reading.kind === 'read');
  if (read.length > 0) return together(read);
  const refused = readings.find((reading) => reading.kind === 'not-understood');
  const { unparsedText, reason } = refused ?? notUnderstood(text, 'I found no date or time.');
  return notUnderstood(asWritten(unparsedText, prepared, text), reason);
}

/** Finds words of the prepared text in the original text, which has the same length. */
function asWritten(words: string, prepared: string, text: string): string {
  return words
    .split(' … ')
    .map((part) => [prepared.indexOf(part), part] as const)
    .map(([start, part]) => (start < 0 ? part : text.slice(start, start + part.length)))
    .join(' … ');
}

/** Joins the meanings of several readings. */
export function together(reads: readonly Read[]): Read {
  const expressions = reads.flatMap((read) => read.expressions);
  return {
    kind: 'read',
    expressions: [...new Map(expressions.map((each) => [JSON.stringify(each), each])).values()],
    notes: [],
  };
}

/** Whether the unread words around a moment may stay unread. */
export type CanLeave = (moment: ParsedResult, around: readonly string[]) => boolean;

export const leavesNothing: CanLeave = () => false;

interface Around {
  isFiller: (text: string) => boolean;
  canLeave: CanLeave;
}

/** Reads a text with one grammar. */
export function readGrammar(
  chrono: Chrono,
  { isFiller: isFillerThere, canLeave }: Around,
  text: string,
  today: DateTime,
): Read | NotUnderstood {
  const results = piecesIn(text, chrono, today.toJSDate());
  const [result] = results;
  if (result === undefined) return notUnderstood(text, 'I found no date or time.');
  const gaps = unreadWords(text, results);
  const unread = gaps.filter((gap) => !isFillerThere(gap));
  if (results.length > 1 && unread.every((words) => JOINS_MOMENTS.test(words.trim()))) {
    return notUnderstood(text, 'That’s more than one time. Pick one.');
  }
  if (unread.length > 0) {
    const words = unread.map((gap) => gap.trim()).join(' … ');
    return results.length === 1 && canLeave(result, gaps)
      ? { kind: 'read', expressions: [expressionOf(result)], notes: [`“${words}” was left unread.`] }
      : notUnderstood(words, 'I didn’t understand every word.');
  }
  // "Let's discuss the work for the next quarter" names no moment.
  if (meaningOf(result.start).isPeriod && !gaps.every(isPlainFiller)) {
    return notUnderstood(result.text, REASONS.period);
  }
  return { kind: 'read', expressions: [expressionOf(result)], notes: [] };
}

/** Words between two moments that belong to neither. */
const JOINS_MOMENTS = /^(?:and|&|\+|plus|to|,)$/i;

function unreadWords(text: string, results: readonly ParsedResult[]): readonly string[] {
  const ends = results.map((result) => result.index + result.text.length);
  return [0, ...ends].map((start, i) => text.slice(start, results[i]?.index ?? text.length));
}
