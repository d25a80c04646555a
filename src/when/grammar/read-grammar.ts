import type { DateTime } from 'luxon';
import { type Expression, expressionOf } from '../expression.ts';
import type { Limits } from '../limits.ts';
import { type NotUnderstood, notUnderstood, REASONS } from '../moment.ts';
import type { Corrected } from '../tidy-text.ts';
import { isPlainFiller } from './english/around.ts';
import { type CanLeave, type Piece, saysDay } from './piece.ts';
import { piecesIn } from './refiners.ts';
import { allRules, createGrammar, type Grammar, type Rule } from './rule.ts';

/** A language, with the order of day and month that a region writes. */
export interface Language {
  /** Grammars that read the same words differently ("10.10" as a date or a time), the likelier first. */
  readings: readonly [Grammar, ...Grammar[]];
  /** The rules that only some of these have. If they find nothing, the first reads the same as the others. */
  differences: Grammar;
  /** Prepares the text for the grammars. The result has the same length. */
  prepare(text: string): string;
  isFiller(text: string): boolean;
  /** Whether the words around a moment may stay unread: in English, those of a sentence. */
  canLeave: CanLeave;
  /** Whether the whole text is "now" or means it. */
  isNow(text: string): boolean;
  /** The reason if words show that the text isn't one future moment. */
  refusalOf(text: string): NotUnderstood | undefined;
  /** Corrects typos in a text that isn't understood. */
  correctTypos(text: string): Corrected;
}

/** A language other than English, which may be read beside it. */
export interface OtherLanguage extends Language {
  /** A pattern for weekdays in a prepared text, and their numbers. Sunday is 0. */
  weekdays: { pattern: string; meaningOf(word: string | undefined): number | undefined };
  /** Whether a prepared text has a word for a day or a time, so that readers of other languages may mean this one. */
  hasTimeWord(text: string): boolean;
  /** The rule for the end of the day. Among English words it would read "final december". */
  dayEnd?: Rule;
}

export function withDifferences(readings: Language['readings']): Pick<Language, 'readings' | 'differences'> {
  const sets = readings.map(({ rules }) => new Set(rules));
  const all = [...new Set(readings.flatMap(({ rules }) => rules))];
  const differing = all.filter((each) => !sets.every((rules) => rules.has(each)));
  return { readings, differences: createGrammar(differing, []) };
}

/** All meanings of the words, the likeliest first. At least one. */
export interface Read {
  kind: 'read';
  expressions: readonly Expression[];
  /** Notes for people about what was assumed. */
  notes: readonly string[];
  /** Whether every word was understood. */
  isWhole: boolean;
}

/** A text, and the day on which it is read, a midnight in UTC. */
export interface Line {
  text: string;
  today: DateTime;
  limits: Limits;
}

/** Reads with all grammars of a language. */
export function readOwn(
  language: Language,
  line: Line,
  canLeave: CanLeave = language.canLeave,
): Read | NotUnderstood {
  const { text, today, limits } = line;
  const prepared = language.prepare(text);
  const refusal = language.refusalOf(prepared);
  if (refusal !== undefined)
    return { ...refusal, unparsedText: asWritten(refusal.unparsedText, prepared, text) };
  const { differences } = language;
  const isReadAlike =
    allRules(differences.rules, prepared).length === 0 ||
    piecesIn(prepared, differences, today, limits).length === 0;
  const readings = language.readings
    .slice(0, isReadAlike ? 1 : undefined)
    .map((grammar) =>
      readGrammar(grammar, { isFiller: language.isFiller, canLeave }, { ...line, text: prepared }),
    );
  const [first, ...others] = readings.filter((reading) => reading.kind === 'read');
  if (first !== undefined) return together([first, ...others]);
  const refused = readings.find((reading) => reading.kind === 'not-understood');
  const answer = refused ?? notUnderstood(text, 'I found no date or time.');
  return { ...answer, unparsedText: asWritten(answer.unparsedText, prepared, text) };
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
export function together(reads: readonly [Read, ...Read[]]): Read {
  const [first, ...others] = reads;
  if (others.length === 0) return first;
  const expressions = reads.flatMap((read) => read.expressions);
  return {
    kind: 'read',
    expressions: [...new Map(expressions.map((each) => [JSON.stringify(each), each])).values()],
    notes: [...new Set(reads.flatMap(({ notes }) => notes))],
    isWhole: reads.every(({ isWhole }) => isWhole),
  };
}

export const leavesNothing: CanLeave = () => false;

interface Around {
  isFiller: (text: string) => boolean;
  canLeave: CanLeave;
}

/** Reads a text with one grammar. */
export function readGrammar(
  grammar: Grammar,
  { isFiller: isFillerThere, canLeave }: Around,
  { text, today, limits }: Line,
): Read | NotUnderstood {
  const found = piecesIn(text, grammar, today, limits);
  const results = withoutNamesBefore(text, found);
  const [result] = results;
  if (result === undefined) return notUnderstood(text, 'I found no date or time.');
  const ends = results.map(({ index, text: { length } }) => index + length);
  const gaps = [0, ...ends].map((start, i) => text.slice(start, results[i]?.index ?? text.length));
  const names = found.slice(0, found.length - results.length);
  const [before = '', ...after] = gaps;
  const within = result.meaning.unread ?? [];
  const unread = [before, ...within, ...after].filter((gap) => !isFillerThere(gap));
  if (results.length > 1 && unread.every((words) => JOINS_MOMENTS.test(words.trim()))) {
    return notUnderstood(text, REASONS.several);
  }
  const words = unread.map((gap) => gap.trim()).join(' … ');
  if (unread.length > 0) {
    const [title, ...others] = gaps;
    const around = names.length === 0 ? gaps : [withoutNames(title ?? '', names), ...others];
    if (results.length > 1 || !canLeave(result, around))
      return notUnderstood(words, 'I didn’t understand every word.');
  }
  // "Let's discuss the work for the next quarter" names no moment.
  if (result.meaning.isPeriod && !gaps.every(isPlainFiller)) {
    return notUnderstood(result.text, REASONS.period);
  }
  return {
    kind: 'read',
    expressions: [expressionOf(result)],
    notes: words === '' ? [] : [`“${words}” was left unread.`],
    isWhole: words === '',
  };
}

/**
 * A day or period in a name before a day and a time is no second moment: "Q3 kickoff, july 6 9am", "Black Friday teaser:
 * thurs 9am". A weekday is one only before a colon: "monday motivation: tues 8am".
 */
function withoutNamesBefore(text: string, results: readonly Piece[]): readonly Piece[] {
  const last = results.at(-1);
  if (last === undefined || results.length < 2) return results;
  const beforeLast = text.slice(0, last.index);
  const isName = ({ meaning, index, text: words }: Piece, position: number): boolean => {
    const after = text.slice(index + words.length, results[position + 1]?.index);
    if (meaning.hour !== undefined || !/^[\s,:-]*(?!then\b)[a-z]{3,}/i.test(after)) return false;
    const isFeast = meaning.isNamedDay === true && !/^(?:to|tm|2)/i.test(words);
    return meaning.isPeriod === true || isFeast || /:\s*$/.test(beforeLast);
  };
  const isMoment = saysDay(last.meaning) && last.meaning.hour !== undefined;
  return isMoment && results.slice(0, -1).every(isName) ? [last] : results;
}

/** The words of a title, with another word for each name that looks like a time. */
function withoutNames(title: string, names: readonly Piece[]): string {
  return names.reduceRight(
    (words, { index, text }) => `${words.slice(0, index)}name${words.slice(index + text.length)}`,
    title,
  );
}

/** Words between two moments that belong to neither. */
const JOINS_MOMENTS = /^(?:and|&|\+|plus|to|,)$/i;
