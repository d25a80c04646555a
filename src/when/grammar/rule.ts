import { DateTime } from 'luxon';
import { type NotUnderstood, notUnderstood, type Reason } from '../moment.ts';
import { type Meaning, type Piece, periodOf } from './piece.ts';

/**
 * A letter or figure of any script: all characters but the blanks and marks of ASCII and Latin-1. V8 compiles a pattern
 * with this negated class in 0.05 ms, and one with \p{L} that ignores case in 1 ms.
 */
const LETTER = '[^\\0-/:-@[-`{-\\u00bf]';

export const WORD_START = `(?<!${LETTER})`;
export const WORD_END = `(?!${LETTER})`;

/** Matches the pattern as whole words in any case. */
export function wholeWords(pattern: string, flags = 'i'): RegExp {
  return new RegExp(`${WORD_START}(?:${pattern})${WORD_END}`, flags);
}

/**
 * All matches of a global pattern. `matchAll` would copy the pattern for each text, and V8 interprets a new copy of a
 * long one, which takes ten times as long.
 */
export function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  const matches: RegExpExecArray[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) matches.push(match);
  return matches;
}

/** The named groups of a pattern in what it has found. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Returns what the words mean, or undefined if they only look like this rule's. The named groups of the pattern are in
 * lower case, and `today` is a midnight in UTC.
 */
type Read = (groups: Groups, today: DateTime) => Meaning | undefined;

/** Finds one kind of expression in a text, with a global pattern that never matches an empty text. */
export interface Rule {
  /**
   * A group `tail`, of a lookahead at the end, belongs to the expression. V8 takes 80 ms to compile a duration and words
   * after it, and 5 ms if these are in a lookahead.
   */
  pattern: RegExp;
  read: Read;
}

/** A rule whose pattern matches whole words in any case. */
export function rule(pattern: string, read: Read): Rule {
  return ruleFor(() => compiled(wholeWords(pattern, 'gi')), read);
}

function ruleFor(build: () => RegExp, read: Read): Rule {
  const pattern = lazily(build);
  return {
    get pattern() {
      return pattern();
    },
    read,
  };
}

/** Builds at the first call only. */
export function lazily<Built>(build: () => Built): () => Built {
  let built: Built | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/**
 * V8 compiles a pattern to bytecode at its first use, which takes three times as long as machine code, and to that at the
 * second. On a text of at least this length it compiles to machine code at once (`kTierUpForSubjectLengthValue` in
 * `js-regexp.h`).
 */
const LONG_TEXT = 'x'.repeat(1000);

/** The pattern, ready to be used. */
export function compiled(pattern: RegExp): RegExp {
  pattern.exec(LONG_TEXT);
  return pattern;
}

const FIGURE = '[\\d〇零一二三四五六七八九十]';

/** The same for a language without spaces between words: only numbers have an edge. */
export function ruleWithoutSpaces(pattern: string, read: Read): Rule {
  return ruleFor(() => new RegExp(`(?<!${FIGURE}(?=${FIGURE}))(?:${pattern})`, 'giu'), read);
}

/** Rules, and words of which a text that they match has one. */
interface RuleGroup {
  words: { test(text: string): boolean };
  rules: Rules;
  /** The rules for all other texts. Defaults to none. */
  others?: Rules;
}

export type Rules = readonly (Rule | RuleGroup)[];

/**
 * Rules that are tried only on texts that have one of the words: most texts have few of them. A pattern for the words is
 * compiled at its first use.
 */
export function needing(words: RuleGroup['words'] | string, rules: Rules): RuleGroup {
  if (typeof words !== 'string') return { words, rules };
  const pattern = lazily(() => compiled(new RegExp(words, 'i')));
  return { words: { test: (text) => pattern().test(text) }, rules };
}

/**
 * Two letters begin too many words, except for lists that have such words. Within a longer word, where the parts of a
 * compound begin ("afeira" of "6afeira"), even four do.
 */
const MIN_LENGTH = 3;
const MIN_LENGTH_WITHIN = 5;

/**
 * Tells quickly whether a word of the text begins like one in the pattern. V8 takes milliseconds to compile a pattern
 * with many words, and most texts have none of them.
 */
export function beginningsIn(pattern: string, minLength = MIN_LENGTH): (text: string) => boolean {
  const letters = new RegExp(`[a-zß]{${minLength},}`, 'g');
  const beginnings = lazily(() => {
    const known: ReadonlySet<string> = new Set(inAllSpellings(pattern).match(letters));
    // Keeps the time linear in the length of a word.
    return { known, longest: Math.max(0, ...[...known].map(({ length }) => length)) };
  });
  const isKnown = (word: string): boolean => {
    const { known, longest } = beginnings();
    for (let start = 0; start + minLength <= word.length; start += 1) {
      const shortest = start === 0 ? minLength : MIN_LENGTH_WITHIN;
      for (let end = Math.min(word.length, start + longest); end >= start + shortest; end -= 1)
        if (known.has(word.slice(start, end))) return true;
    }
    return false;
  };
  return (text) => text.toLowerCase().match(letters)?.some(isKnown) ?? false;
}

/** The words of a pattern with and without optional letters, and with both spellings of umlauts. */
function inAllSpellings(pattern: string): string {
  const umlauts = [['$1', 'ß'] as const, ['$1e', 'ss'] as const].map(([vowel, sharp]) =>
    pattern
      .replaceAll(/\\.\??/g, ' ')
      .replaceAll(/\(\?:([aou])\|\1e\)/g, vowel)
      .replaceAll('(?:ß|ss)', sharp),
  );
  return [' ', '', '$1']
    .flatMap((optional) => umlauts.map((words) => words.replaceAll(/([a-zß])\?/g, optional)))
    .join(' ');
}

/** Changes the pieces that the rules found in a text. `today` is a midnight in UTC. */
export type Refiner = (pieces: readonly Piece[], text: string, today: DateTime) => readonly Piece[];

/** Rules whose words a text has, and what is done with their pieces. */
export interface Grammar {
  rules: Rules;
  refiners: readonly Refiner[];
  /** The number of all rules. */
  size: number;
}

export function createGrammar(rules: Rules, refiners: readonly Refiner[]): Grammar {
  return { rules, refiners, size: allRules(rules).length };
}

/** All rules for one text, or those whose words a text has. */
export function allRules(rules: Rules, text?: string, found: Rule[] = []): readonly Rule[] {
  for (const each of rules) {
    if (!('words' in each)) found.push(each);
    else if (text === undefined || each.words.test(text)) allRules(each.rules, text, found);
    else if (each.others !== undefined) allRules(each.others, text, found);
  }
  return found;
}

/** All rules for any text. */
export function everyRule(rules: Rules): readonly Rule[] {
  return rules.flatMap((each) =>
    'words' in each ? [...everyRule(each.rules), ...everyRule(each.others ?? [])] : each,
  );
}

/** The pieces of a text in their order. Of overlapping ones, the longest is kept, or else the first rule's. */
export function findPieces({ rules, refiners }: Grammar, text: string, today: DateTime): readonly Piece[] {
  const found: Piece[] = [];
  const isInLowerCase = text === text.toLowerCase();
  for (const each of allRules(rules, text)) addMatches(each, { text, isInLowerCase, today }, found);
  found.sort((a, b) => a.index - b.index);
  return refiners.reduce((pieces, refine) => refine(pieces, text, today), withoutOverlaps(found));
}

/** Where words only look like the rule's, the search goes on with their second letter. */
function addMatches(
  { pattern, read }: Rule,
  { text: line, isInLowerCase, today }: { text: string; isInLowerCase: boolean; today: DateTime },
  found: Piece[],
) {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    const groups = match.groups ?? {};
    const meaning = read(isInLowerCase ? groups : inLowerCase(groups), today);
    const text = match[0] + (match.groups?.tail ?? '');
    pattern.lastIndex = match.index + (meaning === undefined ? 1 : text.length);
    if (meaning !== undefined) found.push({ index: match.index, text, meaning });
  }
}

function withoutOverlaps(found: readonly Piece[]): readonly Piece[] {
  const kept: Piece[] = [];
  for (const piece of found) {
    const before = kept.at(-1);
    if (before === undefined || piece.index >= before.index + before.text.length) kept.push(piece);
    else if (piece.text.length > before.text.length) kept[kept.length - 1] = piece;
  }
  return kept;
}

function inLowerCase(groups: Groups): Groups {
  const inLower: Record<string, string | undefined> = {};
  for (const name in groups) inLower[name] = groups[name]?.toLowerCase();
  return inLower;
}

/** Dates that begin with the year, which every language writes: "2026-12-05", "2026/12/5", "2026-12-05T14:30:00Z". */
export const yearFirstDates: readonly Rule[] = [
  yearFirst(
    '-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?:T(?<hour>\\d{1,2}):(?<minute>\\d{1,2})(?::[0-5]?\\d(?:\\.\\d{1,4})?)?(?:Z|[+-]\\d{2}:?(?:\\d{2})?)?)?',
  ),
  yearFirst('[-./\\s](?<month>\\d{1,2})[-./\\s](?<day>\\d{1,2})'),
];

function yearFirst(afterYear: string): Rule {
  const pattern = new RegExp(`(?<!\\w)(?<year>\\d{4})${afterYear}(?!\\w)`, 'gi');
  return {
    pattern,
    read: ({ year, month, day, hour, minute }) => {
      const [first, last] = [Number(month), Number(day)];
      const isTurned = hour === undefined && (first < 1 || first > 12) && last >= 1 && last <= 12;
      const date = { year: Number(year), month: isTurned ? last : first, day: isTurned ? first : last };
      if (date.day < 1 || date.day > 31) return undefined;
      return hour === undefined ? date : { ...date, hour: Number(hour), minute: Number(minute) };
    },
  };
}

/** "week 50", "KW 7", "semana 42 2027": its Monday or Friday, or the weekday beside it. The patterns can name a `year`. */
export function numberedWeeks(before: string, after: string): Rule {
  return rule(`${before}(?<week>[1-4]\\d|5[0-3]|0?[1-9])${after}`, ({ week, year }, today) => {
    const number = Number(week);
    const mondayIn = (weekYear: number) =>
      DateTime.fromObject({ weekYear, weekNumber: number }, { zone: 'utc' });
    const next = mondayIn(Number(year ?? today.weekYear));
    const isOver = year === undefined && next.endOf('week') < today;
    const monday = isOver ? mondayIn(today.weekYear + 1) : next;
    if (!monday.isValid) return undefined;
    const contains = { number, ...(year !== undefined && { year: Number(year) }) };
    return { ...periodOf(monday, [monday.plus({ days: 4 })]), contains };
  });
}

/** Words that show that a text isn't one time in the future, each with the reason for people. */
export type Refusals = readonly (readonly [words: Pick<RegExp, 'exec'>, reason: Reason])[];

/** Words that are looked for only in texts with a hint of them: V8 takes milliseconds to compile a long pattern. */
export function hinted(hint: RegExp, words: string): Pick<RegExp, 'exec'> {
  const pattern = lazily(() => wholeWords(words));
  return { exec: (text) => (hint.test(text) ? pattern().exec(text) : null) };
}

/** The refusal for the first of the words that the text has. */
export function findRefusal(refusals: Refusals, text: string): NotUnderstood | undefined {
  for (const [words, reason] of refusals) {
    const found = words.exec(text);
    if (found !== null) return notUnderstood(found[0], reason);
  }
  return undefined;
}
