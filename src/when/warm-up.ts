import { setImmediate as nextTurn } from 'node:timers/promises';
import { LANGUAGE_CODES, languageOf, readingWordsOf } from './grammar/languages.ts';
import { everyRule } from './grammar/rule.ts';
import { findLeadingMoments } from './readings/moments/find-leading-moments.ts';
import { understandMoments } from './readings/moments/understand-moments.ts';
import { findRange } from './readings/ranges/find-range.ts';
import { understandRecurrence } from './readings/recurrences/understand-recurrence.ts';
import { understandMoment } from './understand-moment.ts';

/** Both orders of day and month, and each language that is read, with words that its patterns are tried on. */
const PHRASES: readonly (readonly [locale: string, text: string])[] = [
  ...LANGUAGE_CODES.map((code) => [code, readingWordsOf(code).examples.moment.join(', ')] as const),
  ['en-GB', 'tomorrow 9.30'],
];

/** V8 compiles a pattern at its first use, and again, to run faster, at its second. */
const USES = 2;

const READERS = [understandMoment, findRange, understandRecurrence, understandMoments, findLeadingMoments];

let isWarm = false;

/**
 * Compiles once in a process the patterns that the first phrases of each language would wait for. A pattern at a time, so
 * that whatever else is to be done waits for none of it. An idle process waits for it, so that its first phrase doesn't.
 */
export async function warmUpDateParser(): Promise<void> {
  if (isWarm) return;
  isWarm = true;
  for (const [locale, text] of PHRASES) {
    for (const step of steps(locale, text)) await afterOthers(step);
  }
}

async function afterOthers(step: () => void): Promise<void> {
  step();
  await nextTurn();
}

function* steps(locale: string, text: string): Generator<() => void> {
  const now = new Date(0);
  for (const { rules } of languageOf(locale).readings) {
    for (const { pattern } of everyRule(rules)) {
      for (let use = 0; use < USES; use += 1) yield () => pattern.exec(text);
    }
  }
  for (let use = 0; use < USES; use += 1) {
    for (const read of READERS) yield () => read({ text, zone: 'Europe/Berlin', now, locale });
  }
}
