import { Chrono, type Parser } from 'chrono-node/en';
import type { DateTime } from 'luxon';
import type { NotUnderstood } from '../moment.ts';
import { refinersFor } from './chrono-corrections.ts';
import { correctionNotes } from './correct-words.ts';
import { MONTH, WEEKDAY } from './english/calendar-words.ts';
import { hasPlainFiller, isPlainFiller } from './english/fillers.ts';
import { refusalOf } from './english/refusals.ts';
import type { Language } from './language.ts';
import { allLanguages, englishGrammars, languageOf } from './languages.ts';
import { piecesIn } from './merge-pieces.ts';
import { leavesNothing, type Read, readGrammar, readOwn, together } from './read-grammar.ts';
import { rule } from './rule.ts';
import { wholeWords } from './word-edges.ts';

/** One moment takes fewer characters in every language. Longer texts are lists. */
const MAX_LENGTH = 80;

/** "Dec" and "mar" are no sign of another language. */
const ENGLISH_CALENDAR = new RegExp(wholeWords(`${MONTH}|${WEEKDAY}`).source, 'gi');

/**
 * The languages that may explain a text which English and the reader's own language don't. None for what one of these
 * refuses for a reason.
 */
export function likelyLanguages(text: string, locale: string): readonly Language[] {
  const own = languageOf(locale);
  const refusal = refusalOf(text) ?? own?.refusalOf(own.prepare(text));
  if (text.length > MAX_LENGTH || refusal !== undefined) return [];
  const others = text.replaceAll(ENGLISH_CALENDAR, ' ');
  return allLanguages().filter(({ prepare, hasTimeWord }) => hasTimeWord(prepare(others)));
}

/** All that the languages understand by the words, other than the reader's own. */
export function readInOthers(
  languages: readonly Language[],
  text: string,
  today: DateTime,
  locale: string,
): Read | undefined {
  const own = languageOf(locale);
  return togetherIfAny(
    languages.filter((language) => language !== own).map((language) => readOwn(language, text, today)),
  );
}

function togetherIfAny(readings: readonly (Read | NotUnderstood)[]): Read | undefined {
  const reads = readings.filter((reading) => reading.kind === 'read');
  const [first] = reads;
  return first === undefined ? undefined : { ...together(reads), notes: first.notes };
}

/** Whether the whole text says "now" in any language but English. */
export function saysNowInOthers(text: string): boolean {
  return allLanguages().some((language) => language.isNow(text));
}

/** English words among those of another language: "tomorrow 14 Uhr". */
export function readMixed(
  languages: readonly Language[],
  text: string,
  today: DateTime,
  locale: string,
): Read | undefined {
  const english = englishGrammars(locale).times;
  const at = today.toJSDate();
  const hasEnglishFiller = /\b(?:next|this)\b/i.test(text) || hasPlainFiller(text);
  /** Whether English can add something. Otherwise the language has refused the text already. "Lunch" is Dutch as well. */
  const isMixed = ({ prepare, readings: [grammar] }: Language): boolean => {
    if (hasEnglishFiller) return true;
    const own = grammar === undefined ? [] : piecesIn(prepare(text), grammar, at);
    return piecesIn(text, english, at).some(
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
      return readGrammar(grammar, { isFiller, canLeave: leavesNothing }, language.prepare(text), today);
    }),
  );
}

/** With typing errors corrected. */
export function readOthersCorrected(
  languages: readonly Language[],
  text: string,
  today: DateTime,
): Read | undefined {
  return togetherIfAny(
    languages.flatMap((language) => {
      const corrected = language.correctTypos(text);
      if (corrected.corrections.length === 0) return [];
      const read = readOwn(language, corrected.text, today);
      return read.kind === 'read' ? [{ ...read, notes: correctionNotes(corrected) }] : [];
    }),
  );
}

const mixedGrammars = new WeakMap<Language, Map<Chrono, Chrono>>();

/** The parsers of a language and of English, with English's refiners. Built once for each pair. */
function mixedGrammar(language: Language, english: Chrono, isFiller: (text: string) => boolean): Chrono {
  const known = mixedGrammars.get(language) ?? new Map<Chrono, Chrono>();
  mixedGrammars.set(language, known);
  const grammar =
    known.get(english) ??
    new Chrono({
      parsers: [...english.parsers, ...(language.readings.at(-1)?.parsers ?? []), nextWeekday(language)],
      refiners: refinersFor(isFiller),
    });
  known.set(english, grammar);
  return grammar;
}

/** "Next montag", "this jeudi". */
function nextWeekday({ weekdays }: Language): Parser {
  return rule(`(?<week>this|next)\\s(?<day>${weekdays.pattern})`, ({ week, day }) => {
    const weekday = weekdays.meaningOf(day);
    return weekday === undefined ? undefined : { weekday, week: week === 'next' ? 'next' : 'this' };
  });
}
