import fc from 'fast-check';
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
  // Ranges of centuries, of which every day is one.
  ...'every day daily weekdays until 2099 31/12/9999 in 99999999 days every 1 minute years'.split(' '),
  ...'PT CST (Berlin) UTC+2 UTC+99 Z T 99999999999 0 ½ år 🎉 \u0000 \u200f'.split(' '),
];

/** Words that moments are made of, in any order. */
export const anyPhrase = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 40 })
  .map((words) => words.join(' ').slice(0, 200));

/** One piece over and over, as texts are that make patterns try every way. */
const repeated = fc
  .tuple(
    fc.constantFrom(...WORDS, '2 hours ', '1 ', 'a ', '  ', 'twenty ', '12:', '1.', 'post it '),
    fc.nat(100),
  )
  .map(([piece, times]) => piece.repeat(times).slice(0, 200));

/** Anything up to the longest text that is read, and a little more. */
export const anyText = fc.oneof(
  anyPhrase,
  repeated,
  fc.string({ unit: 'binary', maxLength: 210 }),
  fc.string({ maxLength: 210 }),
);

/** No text may take longer than this (ms). */
export const MAX_MS = 20;

/** The text that takes longest (ms); one that was slow is read again, since V8 may have been busy. */
export function slowest(texts: readonly string[], locale = 'en-US'): { ms: number; text: string } {
  let worst = { ms: 0, text: '' };
  for (const text of texts) {
    const first = duration(text, locale);
    const ms = first > MAX_MS / 2 ? Math.min(first, ...AGAIN.map(() => duration(text, locale))) : first;
    if (ms > worst.ms) worst = { ms, text };
  }
  return worst;
}

const AGAIN = [1, 2, 3] as const;

function duration(text: string, locale: string): number {
  return worked(() => read(text, { locale }));
}

/** What the thread itself worked (ms): others on the same computer have no part in it. */
export function worked(does: () => unknown): number {
  const before = process.threadCpuUsage();
  does();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
