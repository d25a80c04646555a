import { Chrono } from 'chrono-node/en';
import type { DateTime } from 'luxon';
import { dropLooseHours, dropTimesOffTheClock, dropWhatLeadsNowhere } from './chrono-corrections.ts';
import { overlapRemoval } from './chrono-parts.ts';
import { refusalOf } from './english/refusals.ts';
import { isPlainFiller } from './english/fillers.ts';
import type { Language } from './language.ts';
import { allLanguages, englishGrammars, languageOf } from './languages.ts';
import { mergePieces, piecesIn } from './merge-pieces.ts';
import { leavesNothing, type Read, readGrammar, readOwn, together } from './read-grammar.ts';

/** A word that isn't just an abbreviation such as "so" or "do", which English has too; or any Japanese. */
const TELLING_WORD = /\p{L}{3}|[\u3040-\u30ff\u4e00-\u9fff]/u;

/** All that the other languages understand by the words, the reader's own language excepted. */
export function readInOthers(text: string, today: DateTime, own: Language | undefined): Read | undefined {
  if (!TELLING_WORD.test(text) || refusalOf(text) !== undefined) return undefined;
  const reads = allLanguages()
    .filter((language) => language !== own)
    .map((language) => readOwn(language, text, today))
    .filter((read) => read.kind === 'read');
  return reads.length === 0 ? undefined : together(reads);
}

/** English words among those of another language, the reader's own first: "tomorrow 14 Uhr". */
export function readMixed(text: string, today: DateTime, locale: string): Read | undefined {
  if (!TELLING_WORD.test(text) || refusalOf(text) !== undefined) return undefined;
  const own = languageOf(locale);
  const languages = own === undefined ? allLanguages() : [own, ...allLanguages()];
  const reads = languages
    .filter((language) => language.refusalOf(language.prepare(text)) === undefined)
    .filter((language) => findsWords(language, text, today))
    .map((language) => {
      const isFiller = (gap: string) => isPlainFiller(gap) || language.isFiller(gap);
      const grammar = mixedGrammar(language, englishGrammars(locale).times, isFiller);
      return readGrammar(grammar, { isFiller, canLeave: leavesNothing }, language.prepare(text), today);
    })
    .filter((read) => read.kind === 'read');
  return reads.length === 0 ? undefined : together(reads);
}

/** Whether the language has words for a time in the text, not only figures. */
function findsWords({ readings, prepare }: Language, text: string, today: DateTime): boolean {
  const [grammar] = readings;
  const pieces = grammar === undefined ? [] : piecesIn(prepare(text), grammar, today.toJSDate());
  return pieces.some((piece) => /\p{L}{2}|[\u3040-\u30ff\u4e00-\u9fff]/u.test(piece.text));
}

const mixedGrammars = new WeakMap<Language, Map<Chrono, Chrono>>();

/** The parsers of a language and of English, with English's refiners. Built once for each pair. */
function mixedGrammar(language: Language, english: Chrono, isFiller: (text: string) => boolean): Chrono {
  const known = mixedGrammars.get(language) ?? new Map<Chrono, Chrono>();
  mixedGrammars.set(language, known);
  const grammar =
    known.get(english) ??
    new Chrono({
      parsers: [...english.parsers, ...(language.readings.at(-1)?.parsers ?? [])],
      refiners: [
        ...overlapRemoval,
        dropTimesOffTheClock,
        mergePieces(isFiller),
        dropLooseHours,
        dropWhatLeadsNowhere,
      ],
    });
  known.set(english, grammar);
  return grammar;
}
