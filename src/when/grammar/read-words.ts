import type { Chrono } from 'chrono-node';
import type { DateTime } from 'luxon';
import { saysDay, saysTimeOnly } from '../expression.ts';
import { oncePerRequest } from '../limits.ts';
import type { NotUnderstood } from '../moment.ts';
import { type Corrected, correctionNotes } from './correct-words.ts';
import { isFiller, isNow } from './english/fillers.ts';
import { refusalOf } from './english/refusals.ts';
import { spellOut } from './english/short-forms.ts';
import { isTitleAround } from './english/title-around.ts';
import { correctEnglish } from './english/typos.ts';
import type { Language } from './language.ts';
import { englishGrammars, languageOf } from './languages.ts';
import { likelyLanguages, readInOthers, readMixed, readOthersCorrected } from './other-languages.ts';
import { type CanLeave, leavesNothing, type Read, readGrammar, readOwn, together } from './read-grammar.ts';

interface ReadOptions {
  locale: string;
  /** Whether words around a whole moment may be a title: "kickoff monday 9am". The note says what wasn't read. */
  mayLeaveTitle?: boolean;
  /** Whether to try the other languages if the locale's and English don't understand the words. */
  tryOtherLanguages?: boolean;
}

/**
 * Reads a text that says one moment. Every word must be used or be a filler. The locale's own language comes first. If
 * English understands the same words differently, both meanings are returned. `today` is a midnight in UTC.
 */
export function readWords(text: string, today: DateTime, options: ReadOptions): Read | NotUnderstood {
  const key = `${JSON.stringify(options)} ${today.toMillis()} ${text}`;
  return once(key, () => readAnew(text, today, options));
}

const once = oncePerRequest<Read | NotUnderstood>();

function readAnew(text: string, today: DateTime, options: ReadOptions): Read | NotUnderstood {
  const { locale } = options;
  const language = languageOf(locale);
  const first =
    language === undefined
      ? readEnglish(text, today, locale)
      : readWithEnglish(language, text, today, locale);
  if (first.kind === 'read') return first;
  const languages = options.tryOtherLanguages ? likelyLanguages(text, locale) : [];
  return (
    readInOthers(languages, text, today, locale) ??
    readLeniently(text, today, options) ??
    readMixed(languages, text, today, locale) ??
    readOthersCorrected(languages, text, today) ??
    first
  );
}

/** The locale's own language and English together. */
function readWithEnglish(
  language: Language,
  text: string,
  today: DateTime,
  locale: string,
): Read | NotUnderstood {
  const own = readOwn(language, text, today);
  // Figures alone have no language, and “20h” is no duration, so the locale decides.
  if (own.kind === 'read' && !/\p{L}/u.test(text.replace(/\d\s?h(?:rs?|s|\d\dmin)?\b/gi, ''))) return own;
  const inEnglish = readEnglish(text, today, locale);
  if (own.kind === 'not-understood') return inEnglish.kind === 'read' ? inEnglish : own;
  if (inEnglish.kind !== 'read') return own;
  // "So 20:15" is on a Sunday: for English, "so" says nothing.
  const isPartOfOwn = own.expressions.every(saysDay) && inEnglish.expressions.every(saysTimeOnly);
  return isPartOfOwn ? own : together([own, inEnglish]);
}

/** Reads the text with typos corrected, or without a title. */
function readLeniently(
  text: string,
  today: DateTime,
  { locale, mayLeaveTitle = false }: ReadOptions,
): Read | undefined {
  const language = languageOf(locale);
  if (language !== undefined) {
    const corrected = language.correctTypos(text);
    return corrected.corrections.length === 0
      ? undefined
      : withCorrections(readOwn(language, corrected.text, today), corrected);
  }
  const spelledOut = spellOut(text);
  const corrected = correctEnglish(spelledOut);
  if (corrected.corrections.length > 0)
    return withCorrections(readEnglishAs(corrected.text, today, locale), corrected);
  if (!mayLeaveTitle) return undefined;
  const read = readEnglishAs(spelledOut, today, locale, isTitleAround);
  return read.kind === 'read' ? read : undefined;
}

function withCorrections(read: Read | NotUnderstood, corrected: Corrected): Read | undefined {
  return read.kind === 'read' ? { ...read, notes: correctionNotes(corrected) } : undefined;
}

/** The grammars that read a locale's words. */
export function grammarsOf(locale: string): readonly Chrono[] {
  const language = languageOf(locale);
  return language === undefined ? Object.values(englishGrammars(locale)) : language.readings;
}

/** Whether the whole text says "now", in English or the language of the locale. */
export function saysNow(text: string, locale: string): boolean {
  return isNow(text) || (languageOf(locale)?.isNow(text) ?? false);
}

/** Reads English without corrections. Abbreviations are spelled out only in English locales. */
function readEnglish(text: string, today: DateTime, locale: string): Read | NotUnderstood {
  return readEnglishAs(languageOf(locale) === undefined ? spellOut(text) : text, today, locale);
}

function readEnglishAs(
  text: string,
  today: DateTime,
  locale: string,
  canLeave: CanLeave = leavesNothing,
): Read | NotUnderstood {
  const refusal = refusalOf(text);
  if (refusal !== undefined) return refusal;
  const { times, dates } = englishGrammars(locale);
  const asTime = readGrammar(times, { isFiller, canLeave }, text, today);
  if (!/\d\.\d/.test(text)) return asTime;
  const asDate = readGrammar(dates, { isFiller, canLeave }, text, today);
  if (asDate.kind === 'not-understood') return asTime;
  return asTime.kind === 'read' ? together([asTime, asDate]) : asDate;
}
