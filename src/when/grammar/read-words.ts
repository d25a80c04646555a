import type { Chrono, ParsedResult } from 'chrono-node';
import type { DateTime } from 'luxon';
import type { NotUnderstood } from '../moment.ts';
import { notUnderstood } from '../refusals.ts';
import { type Spoken, spokenIn } from '../spoken.ts';
import { correctTypos } from './english/correct-typos.ts';
import { english } from './english/english.ts';
import { isFiller, isNow } from './english/fillers.ts';
import { refusalOf } from './english/refusals.ts';
import { spellOut } from './english/spell-out.ts';
import type { Language } from './language.ts';
import { languageOf } from './languages.ts';

/** Regions that write the month first (CLDR): the United States, its territories, and the Philippines. */
const MONTH_FIRST = /^en(?:-(?:US|PR|GU|VI|AS|MP|UM|PH))?$/i;

const monthFirst = inBothDots(false);
const dayFirst = inBothDots(true);

function inBothDots(isDayFirst: boolean) {
  return {
    times: english({ dayFirst: isDayFirst, dots: 'times' }),
    dates: english({ dayFirst: isDayFirst, dots: 'dates' }),
  };
}

/** All that the words can say, the likeliest first: never none. */
interface Read {
  kind: 'read';
  spokens: readonly Spoken[];
}

/**
 * What the words say, if they say one moment and nothing else: every word is used, or a filler. A word left over
 * would be a part of the meaning that nobody read. The locale's own language comes first; where English
 * understands something else by the same words, that is meant too. `today` is a midnight in UTC.
 */
export function readWords(text: string, today: DateTime, locale: string): Read | NotUnderstood {
  const language = languageOf(locale);
  if (language === undefined) return readEnglish(text, today, locale);
  const own = readOwn(language, text, today);
  // Figures alone are in no language: the locale's own way of writing them is meant.
  if (own.kind === 'read' && !/\p{L}/u.test(text)) return own;
  const inEnglish = readEnglish(text, today, locale);
  if (own.kind === 'not-understood') return inEnglish.kind === 'read' ? inEnglish : own;
  return inEnglish.kind === 'read' ? together([...own.spokens, ...inEnglish.spokens]) : own;
}

/** True where the whole text says "now", which can be no moment to come. */
export function saysNow(text: string, locale: string): boolean {
  return isNow(text) || (languageOf(locale)?.isNow(text) ?? false);
}

function readEnglish(written: string, today: DateTime, locale: string): Read | NotUnderstood {
  // Words of other languages are not English ones with a typo ("lun").
  const text = languageOf(locale) === undefined ? correctTypos(spellOut(written)) : written;
  const refusal = refusalOf(text);
  if (refusal !== undefined) return refusal;
  const { times, dates } = MONTH_FIRST.test(locale.replace('_', '-')) ? monthFirst : dayFirst;
  const asTime = readAll(times, isFiller, text, today);
  if (!/\d\.\d/.test(text)) return asTime;
  const asDate = readAll(dates, isFiller, text, today);
  if (asDate.kind === 'not-understood') return asTime;
  return asTime.kind === 'read' ? together([...asTime.spokens, ...asDate.spokens]) : asDate;
}

function readOwn(language: Language, text: string, today: DateTime): Read | NotUnderstood {
  const prepared = language.prepare(text);
  const refusal = language.refusalOf(prepared);
  if (refusal !== undefined) return { ...refusal, words: asWritten(refusal.words, prepared, text) };
  const readings = language.readings.map((chrono) => readAll(chrono, language.isFiller, prepared, today));
  const spokens = readings.flatMap((reading) => (reading.kind === 'read' ? reading.spokens : []));
  if (spokens.length > 0) return together(spokens);
  const refused = readings.find((reading) => reading.kind === 'not-understood');
  const { words, reason } = refused ?? notUnderstood(text, 'No date or time was found.');
  return {
    ...notUnderstood(asWritten(words, prepared, text), reason),
    examples: language.examples,
  };
}

/** Words of the prepared text as they stand in the text itself, which is as long. */
function asWritten(words: string, prepared: string, text: string): string {
  return words
    .split(' … ')
    .map((part) => [prepared.indexOf(part), part] as const)
    .map(([start, part]) => (start < 0 ? part : text.slice(start, start + part.length)))
    .join(' … ');
}

function together(spokens: readonly Spoken[]): Read {
  return {
    kind: 'read',
    spokens: [...new Map(spokens.map((each) => [JSON.stringify(each), each])).values()],
  };
}

function readAll(
  chrono: Chrono,
  isFillerThere: (text: string) => boolean,
  text: string,
  today: DateTime,
): Read | NotUnderstood {
  const results = chrono.parse(text, { instant: today.toJSDate(), timezone: 0 });
  const [result] = results;
  if (result === undefined) return notUnderstood(text, 'No date or time was found.');
  const unread = unreadWords(text, results).filter((gap) => !isFillerThere(gap));
  if (results.length > 1 && unread.every((words) => JOINS_MOMENTS.test(words.trim()))) {
    return notUnderstood(text, 'That is more than one moment: one at a time, please.');
  }
  if (unread.length > 0) {
    return notUnderstood(unread.map((gap) => gap.trim()).join(' … '), 'Not every word was understood.');
  }
  return { kind: 'read', spokens: [spokenIn(result)] };
}

/** What stands between two moments and belongs to neither. */
const JOINS_MOMENTS = /^(?:and|&|\+|plus|to|,)$/i;

function unreadWords(text: string, results: readonly ParsedResult[]): readonly string[] {
  const ends = results.map((result) => result.index + result.text.length);
  return [0, ...ends].map((start, i) => text.slice(start, results[i]?.index ?? text.length));
}
