import type { ParsedResult } from 'chrono-node';
import type { DateTime } from 'luxon';
import type { NotUnderstood } from '../moment.ts';
import { notUnderstood } from '../refusals.ts';
import { type Spoken, spokenIn } from '../spoken.ts';
import { english } from './english/english.ts';
import { isFiller } from './english/fillers.ts';
import { refusalOf } from './english/refusals.ts';

/** Regions that write the month first (CLDR): the United States, its territories, and the Philippines. */
const MONTH_FIRST = /^en(?:-(?:US|PR|GU|VI|AS|MP|UM|PH))?$/i;

const monthFirst = english({ dayFirst: false });
const dayFirst = english({ dayFirst: true });

/**
 * What the words say, if they say one moment and nothing else: every word is used, or a filler. A word left over
 * would be a part of the meaning that nobody read. `today` is a midnight in UTC.
 */
export function readWords(
  text: string,
  today: DateTime,
  locale: string,
): { kind: 'read'; spoken: Spoken } | NotUnderstood {
  const refusal = refusalOf(text);
  if (refusal !== undefined) return refusal;
  const chrono = MONTH_FIRST.test(locale.replace('_', '-')) ? monthFirst : dayFirst;
  const results = chrono.parse(text, { instant: today.toJSDate(), timezone: 0 });
  const [result] = results;
  if (result === undefined) return notUnderstood(text, 'No date or time was found.');
  const unread = unreadWords(text, results);
  if (results.length > 1 && unread.every((words) => JOINS_MOMENTS.test(words))) {
    return notUnderstood(text, 'That is more than one moment: one at a time, please.');
  }
  if (unread.length > 0) return notUnderstood(unread.join(' … '), 'Not every word was understood.');
  return { kind: 'read', spoken: spokenIn(result) };
}

/** What stands between two moments and belongs to neither. */
const JOINS_MOMENTS = /^(?:and|&|\+|plus|to|,)$/i;

function unreadWords(text: string, results: readonly ParsedResult[]): readonly string[] {
  const ends = results.map((result) => result.index + result.text.length);
  const gaps = [0, ...ends].map((start, i) => text.slice(start, results[i]?.index ?? text.length));
  return gaps.filter((gap) => !isFiller(gap)).map((gap) => gap.trim());
}
