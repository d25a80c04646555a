import { execFileSync } from 'node:child_process';
import { parse } from 'chrono-node';
import fc from 'fast-check';
import { understandMoment } from '../../src/when/when.ts';
import { anyText, MAX_MS, slowest } from '../when/any-text.ts';
import { anyTextIn } from '../when/languages/any-text-in.ts';
import { ORDINARY_PHRASES } from './phrases/ordinary-phrases.ts';

/**
 * Time to parse a phrase, for each language: the median of ordinary phrases, warm, and the slowest of 100,000 random
 * strings. Also chrono's median for English, and the first phrases of a new process, during which patterns are compiled.
 */
const NOW = new Date('2026-11-20T10:15:00Z');
const ROUNDS = 500;
const FUZZED = 100_000;
const AT_ONCE = 1000;

export async function phrases(): Promise<void> {
  const english = ORDINARY_PHRASES.en ?? [];
  const chronoMedian = median(english, (text) => parse(text, NOW));
  console.log(`  chrono in English: median ${chronoMedian.toFixed(0)} µs`);
  for (const [locale, texts] of Object.entries(ORDINARY_PHRASES)) {
    const upnextMedian = median(texts, (text) =>
      understandMoment({ text, now: NOW, zone: 'Europe/Berlin', locale }),
    );
    console.log(`  ${locale}: median ${upnextMedian.toFixed(0)} µs, ${measureFuzzed(locale)}`);
  }
  for (const locale of Object.keys(ORDINARY_PHRASES)) {
    const fresh = ['test/bench/servers/first-phrases.ts', locale, ...(ORDINARY_PHRASES[locale] ?? [])];
    console.log(execFileSync(process.execPath, fresh, { encoding: 'utf8' }).trimEnd());
  }
}

function median(texts: readonly string[], read: (text: string) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => texts.map((text) => microseconds(() => read(text))));
  const warm = rounds.slice(ROUNDS / 5).flat();
  return warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
}

function microseconds(read: () => unknown): number {
  const started = performance.now();
  read();
  return 1000 * (performance.now() - started);
}

function measureFuzzed(locale: string): string {
  const texts = locale === 'en' ? anyText : anyTextIn(locale);
  let worst = { ms: 0, text: '' };
  for (let seed = 0; seed < FUZZED / AT_ONCE; seed += 1) {
    const found = slowest(fc.sample(texts, { numRuns: AT_ONCE, seed }), locale);
    if (found.ms > worst.ms) worst = found;
  }
  const verdict = worst.ms > MAX_MS ? `, over the limit of ${MAX_MS} ms: ${JSON.stringify(worst.text)}` : '';
  return `slowest of ${FUZZED} fuzzed strings ${worst.ms.toFixed(1)} ms, none threw${verdict}`;
}
