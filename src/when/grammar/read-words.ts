import type { Chrono, ParsedResult } from 'chrono-node';
import type { DateTime } from 'luxon';
import { type Expression, expressionOf } from '../expression.ts';
import { oncePerRequest } from '../limits.ts';
import type { NotUnderstood } from '../moment.ts';
import { notUnderstood } from '../moment.ts';
import { correctionNotes } from './correct-words.ts';
import { isFiller, isNow, isPlainFiller } from './english/fillers.ts';
import { refusalOf } from './english/refusals.ts';
import { spellOut } from './english/short-forms.ts';
import { isTitleAround } from './english/title-around.ts';
import { correctEnglish } from './english/typos.ts';
import type { Language } from './language.ts';
import { englishGrammars, languageOf } from './languages.ts';
import { piecesIn } from './merge-pieces.ts';
import { meaningOf } from './piece.ts';

/** All that the words can say, the likeliest first: never none. */
export interface Read {
  kind: 'read';
  expressions: readonly Expression[];
  /** What was assumed of the words themselves, for people. */
  notes: readonly string[];
}

/**
 * What the words say, if they say one moment and nothing else: every word is used, or a filler. A word left over
 * would be a part of the meaning that nobody read. The locale's own language comes first; where English
 * understands something else by the same words, that is meant too. `today` is a midnight in UTC. With
 * `mayLeaveTitle`, "kickoff monday 9am" is read in English too, and what was left unread is said.
 */
export function readWords(
  text: string,
  today: DateTime,
  locale: string,
  mayLeaveTitle = false,
): Read | NotUnderstood {
  const key = `${locale} ${mayLeaveTitle} ${today.toMillis()} ${text}`;
  return once(key, () => readAnew(text, today, locale, mayLeaveTitle));
}

const once = oncePerRequest<Read | NotUnderstood>();

function readAnew(
  text: string,
  today: DateTime,
  locale: string,
  mayLeaveTitle: boolean,
): Read | NotUnderstood {
  const language = languageOf(locale);
  if (language === undefined) return readEnglish(text, today, { locale, mayLeaveTitle });
  const own = readOwn(language, text, today);
  // Figures alone are in no language: the locale's own way of writing them is meant.
  if (own.kind === 'read' && !/\p{L}/u.test(text)) return own;
  const inEnglish = readEnglish(text, today, { locale, mayLeaveTitle: false });
  if (own.kind === 'not-understood' && inEnglish.kind === 'not-understood')
    return readCorrected(language, text, today) ?? own;
  if (own.kind === 'not-understood') return inEnglish;
  return inEnglish.kind === 'read' ? together([...own.expressions, ...inEnglish.expressions]) : own;
}

/** The grammars that read a locale's words. */
export function grammarsOf(locale: string): readonly Chrono[] {
  const language = languageOf(locale);
  return language === undefined ? Object.values(englishGrammars(locale)) : language.readings;
}

/** True where the whole text says "now", which can be no moment to come. */
export function saysNow(text: string, locale: string): boolean {
  return isNow(text) || (languageOf(locale)?.isNow(text) ?? false);
}

interface EnglishOf {
  locale: string;
  /** Whether words beside a whole moment that nobody read can be a title. */
  mayLeaveTitle: boolean;
}

function readEnglish(written: string, today: DateTime, english: EnglishOf): Read | NotUnderstood {
  // Words of other languages are neither short English ones nor English ones with a slip ("lun").
  if (languageOf(english.locale) !== undefined) return readEnglishAs(written, today, english);
  const text = spellOut(written);
  const asWritten = readEnglishAs(text, today, english);
  if (asWritten.kind === 'read') return asWritten;
  const corrected = correctEnglish(text);
  if (corrected.corrections.length === 0)
    return english.mayLeaveTitle ? readEnglishAs(text, today, english, isTitleAround) : asWritten;
  const read = readEnglishAs(corrected.text, today, english);
  return read.kind === 'read' ? { ...read, notes: correctionNotes(corrected) } : asWritten;
}

function readEnglishAs(
  text: string,
  today: DateTime,
  { locale }: EnglishOf,
  canLeave: CanLeave = leavesNothing,
): Read | NotUnderstood {
  const refusal = refusalOf(text);
  if (refusal !== undefined) return refusal;
  const { times, dates } = englishGrammars(locale);
  const asTime = readAll(times, { isFiller, canLeave }, text, today);
  if (!/\d\.\d/.test(text)) return asTime;
  const asDate = readAll(dates, { isFiller, canLeave }, text, today);
  if (asDate.kind === 'not-understood') return asTime;
  return asTime.kind === 'read' ? together([...asTime.expressions, ...asDate.expressions]) : asDate;
}

function readOwn(language: Language, text: string, today: DateTime): Read | NotUnderstood {
  const prepared = language.prepare(text);
  const refusal = language.refusalOf(prepared);
  if (refusal !== undefined)
    return { ...refusal, unparsedText: asWritten(refusal.unparsedText, prepared, text) };
  const readings = language.readings.map((chrono) =>
    readAll(chrono, { isFiller: language.isFiller, canLeave: leavesNothing }, prepared, today),
  );
  const expressions = readings.flatMap((reading) => (reading.kind === 'read' ? reading.expressions : []));
  if (expressions.length > 0) return together(expressions);
  const refused = readings.find((reading) => reading.kind === 'not-understood');
  const { unparsedText, reason } = refused ?? notUnderstood(text, 'I found no date or time.');
  return notUnderstood(asWritten(unparsedText, prepared, text), reason);
}

/** Only what is not understood as it is written can be a slip; undefined where nothing is gained by it. */
function readCorrected(language: Language, text: string, today: DateTime): Read | undefined {
  const corrected = language.correctTypos(text);
  if (corrected.corrections.length === 0) return undefined;
  const read = readOwn(language, corrected.text, today);
  return read.kind === 'read' ? { ...read, notes: correctionNotes(corrected) } : undefined;
}

/** Words of the prepared text as they stand in the text itself, which is as long. */
function asWritten(words: string, prepared: string, text: string): string {
  return words
    .split(' … ')
    .map((part) => [prepared.indexOf(part), part] as const)
    .map(([start, part]) => (start < 0 ? part : text.slice(start, start + part.length)))
    .join(' … ');
}

function together(expressions: readonly Expression[]): Read {
  return {
    kind: 'read',
    expressions: [...new Map(expressions.map((each) => [JSON.stringify(each), each])).values()],
    notes: [],
  };
}

/** Whether what stands around one moment, and nobody read, can be left unread; its words in their order. */
type CanLeave = (moment: ParsedResult, around: readonly string[]) => boolean;

const leavesNothing: CanLeave = () => false;

interface Around {
  isFiller: (text: string) => boolean;
  canLeave: CanLeave;
}

function readAll(
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
    return notUnderstood(text, 'That is more than one moment: one at a time, please.');
  }
  if (unread.length > 0) {
    const words = unread.map((gap) => gap.trim()).join(' … ');
    return results.length === 1 && canLeave(result, gaps)
      ? { kind: 'read', expressions: [expressionOf(result)], notes: [`“${words}” was left unread.`] }
      : notUnderstood(words, 'I didn’t understand every word.');
  }
  // "Let's discuss the work for the next quarter" names no moment.
  if (meaningOf(result.start).isPeriod && !gaps.every(isPlainFiller)) {
    return notUnderstood(result.text, 'That is a whole stretch of time: name the day.');
  }
  return { kind: 'read', expressions: [expressionOf(result)], notes: [] };
}

/** What stands between two moments and belongs to neither. */
const JOINS_MOMENTS = /^(?:and|&|\+|plus|to|,)$/i;

function unreadWords(text: string, results: readonly ParsedResult[]): readonly string[] {
  const ends = results.map((result) => result.index + result.text.length);
  return [0, ...ends].map((start, i) => text.slice(start, results[i]?.index ?? text.length));
}
