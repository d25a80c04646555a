import type { Parser, ParsingContext, Refiner } from 'chrono-node';
import { Chrono } from 'chrono-node/en';
import { DateTime } from 'luxon';
import { type NotUnderstood, notUnderstood } from '../moment.ts';
import { createPiece, type Meaning, periodOf } from './piece.ts';

/**
 * A letter or figure of any script: all characters but the blanks and marks of ASCII and Latin-1. V8 compiles a pattern
 * with this negated class in 0.05 ms, and one with \p{L} that ignores case in 1 ms.
 */
const LETTER = '[^\\0-/:-@[-`{-\\u00bf]';

export const WORD_START = `(?<!${LETTER})`;
const WORD_END = `(?!${LETTER})`;

/** Two characters of the same word. */
const INSIDE_WORD = new RegExp(`^${LETTER}{2}$`);

/** Matches the pattern as whole words in any case. */
export function wholeWords(pattern: string): RegExp {
  return new RegExp(`${WORD_START}(?:${pattern})${WORD_END}`, pattern.includes('\\p{') ? 'iu' : 'i');
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

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns what the words mean, or undefined if they only look like this rule's. `today` is a midnight in UTC. */
type Read = (groups: Groups, today: DateTime) => Meaning | undefined;

/**
 * A chrono parser for one kind of expression. The pattern matches whole words in any case, and `read` gets its named
 * groups in lower case.
 */
export function rule(pattern: string, read: Read): Parser {
  return parser(wholeWords(pattern), (groups, today) => read(inLowerCase(groups), today), beginsInsideWord);
}

const FIGURE = '[\\d〇零一二三四五六七八九十]';

/** The same for a language without spaces between words: only numbers have an edge. */
export function ruleWithoutSpaces(pattern: string, read: Read): Parser {
  return parser(new RegExp(`(?<!${FIGURE}(?=${FIGURE}))(?:${pattern})`, 'iu'), read);
}

function parser(
  pattern: RegExp,
  read: Read,
  isMisplaced: (text: string, index: number) => boolean = () => false,
): Parser {
  return {
    pattern: () => pattern,
    extract: (context, match) => {
      if (isMisplaced(context.text, match.index ?? 0)) return null;
      const meaning = read(match.groups ?? {}, startOfDayOf(context));
      if (meaning === undefined) return null;
      // Chrono would create components of its own for a piece without its place.
      const piece = createPiece(context.reference, meaning);
      return context.createParsingResult(match.index ?? 0, match[0], piece);
    },
  };
}

/** Rules, and words of which a text that they match has one. */
interface RuleGroup {
  words: RegExp;
  rules: Rules;
}

export type Rules = readonly (Parser | RuleGroup)[];

/** Rules that are tried only on texts that have one of the words: most texts have few of them. */
export function needing(words: RegExp, rules: Rules): RuleGroup {
  return { words, rules };
}

/** A grammar that tries on a text only the rules whose words it has. Of pieces that are as long, the first rule's wins. */
export function createGrammar(rules: Rules, refiners: Refiner[]): Chrono {
  const needed = new Chrono({ parsers: [], refiners });
  const whole = new Chrono({ parsers: parsersFor(undefined, rules), refiners });
  whole.parse = (text, reference, option) => {
    needed.parsers = parsersFor(text, rules);
    return needed.parse(text, reference, option);
  };
  return whole;
}

/** All parsers without a text. */
function parsersFor(text: string | undefined, rules: Rules, found: Parser[] = []): Parser[] {
  for (const each of rules) {
    if (!('words' in each)) found.push(each);
    else if (text === undefined || each.words.test(text)) parsersFor(text, each.rules, found);
  }
  return found;
}

/** After a rule has refused, chrono continues with the rest of the text, in which the pattern can't see the word's start. */
function beginsInsideWord(text: string, index: number): boolean {
  return INSIDE_WORD.test(text.slice(Math.max(0, index - 1), index + 1));
}

/** The day on which the text is read, as a midnight in UTC, so that the computer's time zone doesn't matter. */
export function startOfDayOf({ reference: { instant } }: ParsingContext): DateTime {
  // All rules ask for the same day.
  if (latestDay.toMillis() !== instant.getTime()) latestDay = DateTime.fromJSDate(instant, { zone: 'utc' });
  return latestDay;
}

let latestDay = DateTime.utc(1970);

function inLowerCase(groups: Groups): Groups {
  const inLower: Record<string, string | undefined> = {};
  for (const name in groups) inLower[name] = groups[name]?.toLowerCase();
  return inLower;
}

/** "week 50", "KW 7", "semana 42 2027": its Monday or Friday, or the weekday beside it. The patterns can name a `year`. */
export function numberedWeeks(before: string, after: string): Parser {
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
export type Refusals = readonly (readonly [words: RegExp, reason: string])[];

/** The refusal for the first of the words that the text has. */
export function findRefusal(refusals: Refusals, text: string): NotUnderstood | undefined {
  for (const [words, reason] of refusals) {
    const found = words.exec(text);
    if (found !== null) return notUnderstood(found[0], reason);
  }
  return undefined;
}
