import type { DateTime } from 'luxon';
import type { KnownDateOrder } from '../date-order.ts';
import { orderDate, saysDay, saysTimeOnly } from '../expression.ts';
import { type Limits, oncePerRequest } from '../limits.ts';
import { type NotUnderstood, notUnderstood } from '../moment.ts';
import { correctionNotes } from '../tidy-text.ts';
import { hasPlainFiller, isPlainFiller, isTitleAround } from './english/around.ts';
import { MONTH, spellOut, WEEKDAY } from './english/vocabulary.ts';
import { englishOf, languageOf, languagesBesideEnglish, languagesOf, otherLanguageOf } from './languages.ts';
import {
  type Language,
  type Line,
  leavesNothing,
  type OtherLanguage,
  type Read,
  readGrammar,
  readOwn,
  together,
} from './read-grammar.ts';
import { piecesIn, refinersFor } from './refiners.ts';
import { createGrammar, type Grammar, type Rule, rule, wholeWords } from './rule.ts';

export interface ReadOptions {
  locale: string;
  /** The order of day and month in figures. Defaults to that in which they are read. */
  dateOrder?: KnownDateOrder | undefined;
  limits: Limits;
  /** Whether words around a whole moment may be a title: "kickoff monday 9am". The note says what wasn't read. */
  mayLeaveTitle?: boolean;
  /** Whether to try the other languages if the locale's and English don't understand the words. */
  tryOtherLanguages?: boolean;
  /** Whether to refuse a text of which words stay unread. */
  mustBeWhole?: boolean | undefined;
}

/**
 * Reads a text that says one moment. Every word must be used or be a filler. The locale's own language comes first. If
 * English understands the same words differently, both meanings are returned. `today` is a midnight in UTC.
 */
export function readWords(text: string, today: DateTime, options: ReadOptions): Read | NotUnderstood {
  const { locale, dateOrder, limits, mayLeaveTitle, tryOtherLanguages } = options;
  const key = [locale, mayLeaveTitle, tryOtherLanguages, today.toMillis(), text].join(' ');
  const read = inOrder(
    once(limits, key, () => readAnew({ text, today, limits }, options)),
    dateOrder,
  );
  if (options.mustBeWhole !== true || read.kind === 'not-understood' || read.isWhole) return read;
  return notUnderstood(text, 'I didn’t understand every word.');
}

const once = oncePerRequest<Read | NotUnderstood>();

/** Turns dates in figures to the reader's order, in which the languages then agree. */
function inOrder(read: Read | NotUnderstood, order: KnownDateOrder | undefined): Read | NotUnderstood {
  if (read.kind === 'not-understood' || order === undefined) return read;
  return { ...read, expressions: read.expressions.map((each) => orderDate(each, order)) };
}

function readAnew(line: Line, options: ReadOptions): Read | NotUnderstood {
  const { locale } = options;
  const language = otherLanguageOf(locale);
  const first = language === undefined ? readEnglish(line, locale) : readWithEnglish(language, line, locale);
  // Other languages can't turn several times that are understood into one.
  if (first.kind === 'read' || first.code === 'several') return first;
  const languages = options.tryOtherLanguages ? likelyLanguages(line.text, locale) : [];
  return (
    readInOthers(languages, line, locale) ??
    readLeniently(line, options) ??
    readMixed(languages, line, locale) ??
    readOthersCorrected(languages, line) ??
    first
  );
}

/** The locale's own language and English together. */
function readWithEnglish(language: Language, line: Line, locale: string): Read | NotUnderstood {
  const own = readOwn(language, line);
  // English has no letters beyond those of ASCII.
  if (/[^\0-\u00bf]/.test(line.text)) return own;
  // Figures alone have no language, and “20h” is no duration, so the locale decides.
  if (own.kind === 'read' && !/\p{L}/u.test(line.text.replace(/\d\s?h(?:rs?|s|\d\dmin)?\b/gi, '')))
    return own;
  const inEnglish = readEnglish(line, locale);
  if (own.kind === 'not-understood') return inEnglish.kind === 'read' ? inEnglish : own;
  // "À 18h", without its accent, has an English word that says nothing.
  if (inEnglish.kind !== 'read' || (own.isWhole && !inEnglish.isWhole)) return own;
  // "So 20:15" is on a Sunday: for English, "so" says nothing.
  const isPartOfOwn = own.expressions.every(saysDay) && inEnglish.expressions.every(saysTimeOnly);
  return isPartOfOwn ? own : together([own, inEnglish]);
}

/** Reads the text with typos corrected, or without a title. */
function readLeniently(line: Line, { locale, mayLeaveTitle = false }: ReadOptions): Read | undefined {
  const language = languageOf(locale);
  const isEnglish = otherLanguageOf(locale) === undefined;
  const text = isEnglish ? spellOut(line.text) : line.text;
  const corrected = language.correctTypos(text);
  const isCorrected = corrected.corrections.length > 0;
  if (!isCorrected && (!isEnglish || !mayLeaveTitle)) return undefined;
  const read = readOwn(language, { ...line, text: corrected.text }, isCorrected ? undefined : isTitleAround);
  return read.kind === 'read'
    ? { ...read, notes: [...correctionNotes(corrected), ...read.notes] }
    : undefined;
}

/** Whether the whole text says "now", in English or the language of the locale. */
export function saysNow(text: string, locale: string): boolean {
  return languagesOf(locale).some((language) => language.isNow(text));
}

/** Reads English without corrections. Abbreviations are spelled out only in English locales. */
function readEnglish(line: Line, locale: string): Read | NotUnderstood {
  const text = otherLanguageOf(locale) === undefined ? spellOut(line.text) : line.text;
  return readOwn(englishOf(locale), { ...line, text });
}

/** One moment takes fewer characters in every language. Longer texts are lists. */
const MAX_LENGTH = 80;

/** "Dec" and "mar" are no sign of another language. */
const ENGLISH_CALENDAR = wholeWords(`${MONTH}|${WEEKDAY}`, 'gi');

/**
 * The languages that may explain a text which English and the reader's own language don't. None for what one of these
 * refuses for a reason.
 */
function likelyLanguages(text: string, locale: string): readonly OtherLanguage[] {
  const isRefused = languagesOf(locale).some(
    ({ refusalOf, prepare }) => refusalOf(prepare(text)) !== undefined,
  );
  if (text.length > MAX_LENGTH || isRefused) return [];
  const others = text.replaceAll(ENGLISH_CALENDAR, ' ');
  return languagesBesideEnglish().filter(({ prepare, hasTimeWord }) => hasTimeWord(prepare(others)));
}

/** All that the languages understand by the words, other than the reader's own. */
function readInOthers(languages: readonly Language[], line: Line, locale: string): Read | undefined {
  const own = languageOf(locale);
  return togetherIfAny(
    languages.filter((language) => language !== own).map((language) => readOwn(language, line)),
  );
}

function togetherIfAny(readings: readonly (Read | NotUnderstood)[]): Read | undefined {
  const [first, ...others] = readings.filter((reading) => reading.kind === 'read');
  return first === undefined ? undefined : { ...together([first, ...others]), notes: first.notes };
}

/** Whether the whole text says "now" in any language but English. */
export function saysNowInOthers(text: string): boolean {
  return languagesBesideEnglish().some((language) => language.isNow(text));
}

/** English words among those of another language: "tomorrow 14 Uhr". */
function readMixed(languages: readonly OtherLanguage[], line: Line, locale: string): Read | undefined {
  const { text, today, limits } = line;
  const [english] = englishOf(locale).readings;
  const hasEnglishFiller = /\b(?:next|this)\b/i.test(text) || hasPlainFiller(text);
  /** Whether English can add something. Otherwise the language has refused the text already. "Lunch" is Dutch as well. */
  const isMixed = ({ prepare, readings: [grammar] }: Language): boolean => {
    if (hasEnglishFiller) return true;
    const own = piecesIn(prepare(text), grammar, today, limits);
    return piecesIn(text, english, today, limits).some(
      (piece) => !own.some(({ index, text: words }) => index === piece.index && words === piece.text),
    );
  };
  const allowed = languages.filter(
    (language) => language.refusalOf(language.prepare(text)) === undefined && isMixed(language),
  );
  return togetherIfAny(
    allowed.map((language) => {
      const isFiller = (gap: string) => isPlainFiller(gap) || language.isFiller(gap);
      const grammar = mixedGrammar(language, english, isFiller);
      return readGrammar(
        grammar,
        { isFiller, canLeave: leavesNothing },
        { ...line, text: language.prepare(text) },
      );
    }),
  );
}

/** With typing errors corrected. */
function readOthersCorrected(languages: readonly Language[], line: Line): Read | undefined {
  return togetherIfAny(
    languages.flatMap((language) => {
      const corrected = language.correctTypos(line.text);
      if (corrected.corrections.length === 0) return [];
      const read = readOwn(language, { ...line, text: corrected.text });
      return read.kind === 'read' ? [{ ...read, notes: correctionNotes(corrected) }] : [];
    }),
  );
}

const mixedGrammars = new WeakMap<Language, Map<Grammar, Grammar>>();

/** The rules of a language and of English. Built once for each pair. */
function mixedGrammar(
  language: OtherLanguage,
  english: Grammar,
  isFiller: (text: string) => boolean,
): Grammar {
  const known = mixedGrammars.get(language) ?? new Map<Grammar, Grammar>();
  mixedGrammars.set(language, known);
  const own = language.readings.at(-1)?.rules.filter((each) => each !== language.dayEnd) ?? [];
  const rules = [...english.rules, ...own, nextWeekday(language)];
  const grammar = known.get(english) ?? createGrammar(rules, refinersFor(isFiller));
  known.set(english, grammar);
  return grammar;
}

/** "Next montag", "this jeudi". */
function nextWeekday({ weekdays }: OtherLanguage): Rule {
  return rule(`(?<week>this|next)\\s(?<day>${weekdays.pattern})`, ({ week, day }) => {
    const weekday = weekdays.meaningOf(day);
    return weekday === undefined ? undefined : { weekday, week: week === 'next' ? 'next' : 'this' };
  });
}
