import type { Chrono } from 'chrono-node';
import { english } from '../../grammar/english/english.ts';
import { languageOf } from '../../grammar/languages.ts';
import { piecesIn } from '../../grammar/merge-pieces.ts';
import { perLanguage, plainLetters, type ReadingLexicon, readingLexicons } from './reading-lexicon.ts';

const englishDays: Chrono = english({ dayFirst: true, dots: 'dates' });

/** Endings of a word that its pattern may leave open. */
const LONGEST_ENDING = 3;

/**
 * For each word, whether it could be part of a stretch of time: a quick look that lets no such word go, and spares
 * reading the others.
 */
export function saysWhen(words: readonly string[], locale: string): readonly boolean[] {
  const text = words.join(' ');
  const spans = spansOfDays(text, locale);
  const lexicons = readingLexicons(locale);
  let start = 0;
  return words.map((word) => {
    const end = start + word.length;
    const isInDay = spans.some((span) => span.start < end && span.end > start);
    start = end + 1;
    return isInDay || /[\d\-–~〜]/.test(word) || lexicons.some((lexicon) => isKnown(word, lexicon));
  });
}

interface Span {
  start: number;
  end: number;
}

/** Where the grammar of moments finds pieces of one. */
function spansOfDays(text: string, locale: string): readonly Span[] {
  const own = languageOf(locale);
  const grammar = own?.readings[0];
  const found = [
    ...piecesIn(text, englishDays, new Date(0)),
    ...(grammar === undefined ? [] : piecesIn(own?.prepare(text) ?? text, grammar, new Date(0))),
  ];
  return found.map(({ index, text: piece }) => ({ start: index, end: index + piece.length }));
}

function isKnown(word: string, lexicon: ReadingLexicon): boolean {
  const plain = plainLetters(word.toLowerCase()).replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (plain === '') return true;
  const { weekdays, months, units, quarters } = lexicon;
  if ([weekdays, months, units, quarters].some((list) => list.meaningOf(plain) !== undefined)) return true;
  if (lexicon.numberOf(plain) !== undefined) return true;
  const known = piecesOf(lexicon);
  for (let length = plain.length; length >= plain.length - LONGEST_ENDING && length > 0; length -= 1) {
    if (known.has(plain.slice(0, length)) && (length > 2 || length === plain.length)) return true;
  }
  return false;
}

/** All runs of letters in the patterns of a language's stretches. */
const piecesOf = perLanguage(({ words }): ReadonlySet<string> => {
  const { periods, next, last, ago, pastDays, lastNamed, weekOf, calendarWeek } = words.stretches;
  const patterns = [
    ...[...periods, ...pastDays].map(([pattern]) => pattern),
    ...[...next, ...last, ...ago, ...lastNamed, weekOf, calendarWeek],
    ...Object.values(words.edges),
    words.fillers,
    words.and,
  ];
  const letters = plainLetters(patterns.join(' ')).replaceAll(/\\\w|\(\?<\w+>/g, ' ');
  return new Set(letters.match(/[\p{L}']+/gu) ?? []);
});
