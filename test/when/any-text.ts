import fc from 'fast-check';
import { measureCpuMs, measureMeanCpuMs } from '../support/cpu-ms.ts';
import { read } from './read.ts';

const WORDS = [
  ...'tomorrow next last friday fri thrusday at in 9 9am 17:30 16.12 5 half past to quarter noon midnight'.split(
    ' ',
  ),
  ...'the 15th 31 feb dec 3/4 2027 12.11. - , every from until 2 hours and a days week weeks month'.split(
    ' ',
  ),
  ...'monday before after christmas eve first of an hour three hundred in this time twenty post it'.split(
    ' ',
  ),
  // Recurrences that last for centuries.
  ...'every day daily weekdays until 2099 31/12/9999 in 99999999 days every 1 minute years'.split(' '),
  ...'PT CST (Berlin) UTC+2 UTC+99 Z T 99999999999 0 ½ år 🎉 \u0000 \u200f'.split(' '),
];

/** Words of dates and times in random order. */
export const anyPhrase = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 40 })
  .map((words) => words.join(' ').slice(0, 200));

/** One text repeated many times. Such texts can make regular expressions slow. */
const anyRepeatedPiece = fc
  .tuple(
    fc.constantFrom(...WORDS, '2 hours ', '1 ', 'a ', '  ', 'twenty ', '12:', '1.', 'post it '),
    fc.nat(100),
  )
  .map(([piece, times]) => piece.repeat(times).slice(0, 200));

/** Random texts, up to slightly longer than the limit of 200 characters. */
export const anyText = fc.oneof(
  anyPhrase,
  anyRepeatedPiece,
  fc.string({ unit: 'binary', maxLength: 210 }),
  fc.string({ maxLength: 210 }),
);

/** The maximum time to read a text (ms). */
export const MAX_MS = 20;

/**
 * Returns the text that takes longest to read. Slow texts are measured again, and those above the limit once more,
 * because V8 may have been compiling or collecting garbage.
 */
export function findSlowestText(texts: readonly string[], locale = 'en-US'): { ms: number; text: string } {
  let worst = { ms: 0, text: '' };
  for (const text of texts) {
    const readText = () => read(text, { locale });
    const roughMs = measureCpuMs(readText);
    const meanMs = roughMs > MAX_MS / 2 ? measureMeanCpuMs(readText) : roughMs;
    const ms = meanMs > MAX_MS ? Math.min(meanMs, measureMeanCpuMs(readText)) : meanMs;
    if (ms > worst.ms) worst = { ms, text };
  }
  return worst;
}
