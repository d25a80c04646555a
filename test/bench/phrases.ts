import { execFileSync } from 'node:child_process';
import { parse } from 'chrono-node';
import fc from 'fast-check';
import { understandMoment } from '../../src/when/understand-moment.ts';
import { anyText, MOST_MS, slowest } from '../when/any-text.ts';

/**
 * What reading a phrase costs: the median of ordinary ones, warm, with chrono's own figure beside it; the slowest of
 * 100,000 strings of any kind; and the first two phrases of a fresh process, at which the patterns are compiled.
 */
const PHRASES = [
  'tomorrow 9am',
  'fri 14:30',
  'in 2 hours',
  '1 Dec at 10:15',
  'next tuesday at noon',
  'the 15th at half past 8',
  'last friday of next month at 5pm',
  'christmas eve 9am',
  'the monday before 25 May',
  '2027-03-05 15:30',
  'wednesday of next week in the evening',
  'tomorrow 9am London time',
  'every monday at 9',
  'lunch with the team on thursday',
] as const;

const NOW = new Date('2026-11-20T10:15:00Z');
const ROUNDS = 500;
const FUZZED = 100_000;
const AT_ONCE = 1000;

export async function phrases(): Promise<void> {
  const ours = median((text) => understandMoment({ text, now: NOW, zone: 'Europe/Berlin' }));
  const chronos = median((text) => parse(text, NOW));
  console.log(`  a phrase, median, warm: ${ours.toFixed(0)} µs (chrono alone ${chronos.toFixed(0)} µs)`);
  fuzz();
  const fresh = execFileSync(process.execPath, ['test/bench/servers/first-phrases.ts'], { encoding: 'utf8' });
  console.log(fresh.trimEnd());
}

function median(read: (text: string) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => PHRASES.map((text) => microseconds(() => read(text))));
  const warm = rounds.slice(ROUNDS / 5).flat();
  return warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
}

function microseconds(read: () => unknown): number {
  const started = performance.now();
  read();
  return 1000 * (performance.now() - started);
}

function fuzz(): void {
  let worst = { ms: 0, text: '' };
  for (let seed = 0; seed < FUZZED / AT_ONCE; seed += 1) {
    const found = slowest(fc.sample(anyText, { numRuns: AT_ONCE, seed }));
    if (found.ms > worst.ms) worst = found;
  }
  const verdict = worst.ms > MOST_MS ? `more than ${MOST_MS}: ${JSON.stringify(worst.text)}` : 'none threw';
  console.log(`  the slowest of ${FUZZED} fuzzed strings: ${worst.ms.toFixed(1)} ms, ${verdict}`);
}
