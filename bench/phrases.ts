import { execFileSync } from 'node:child_process';
import { parse } from 'chrono-node';
import fc from 'fast-check';
import { understandMoment } from '../src/when/when.ts';
import { anyText, findSlowestText, MAX_MS } from '../test/when/any-text.ts';
import { createTextArbitrary } from '../test/when/languages/any-text-in.ts';
import { ORDINARY_PHRASES } from './phrases/ordinary-phrases.ts';
import { printVerdict } from './print-verdict.ts';

/**
 * Measures the time to parse a phrase in each language: the median and the 95th percentile for ordinary phrases after a
 * warm-up, and the longest time for any of 100,000 random strings. Also measures chrono's median for English, and the first phrases of a
 * new process, which are slow because V8 compiles their patterns.
 */
const NOW = new Date('2026-11-20T10:15:00Z');
const MAX_P95_MICROSECONDS = 500;
const ROUND_COUNT = 500;
const FUZZED_COUNT = 100_000;
const BATCH_SIZE = 1000;

export async function measurePhrases(): Promise<void> {
  const english = ORDINARY_PHRASES.en ?? [];
  const inChrono = measureOrdinary(english, (text) => parse(text, NOW));
  console.log(`  chrono in English: ${renderTimes(inChrono)}`);
  const slow: string[] = [];
  for (const [locale, texts] of Object.entries(ORDINARY_PHRASES)) {
    const ordinary = measureOrdinary(texts, (text) =>
      understandMoment({ text, now: NOW, zone: 'Europe/Berlin', locale }),
    );
    console.log(`  ${locale}: ${renderTimes(ordinary)}, ${measureFuzzedTexts(locale)}`);
    if (ordinary.p95 > MAX_P95_MICROSECONDS) slow.push(locale);
  }
  printVerdict(`p95 of ${MAX_P95_MICROSECONDS} µs in each language`, slow);
  for (const locale of Object.keys(ORDINARY_PHRASES))
    console.log(`  ${locale}: first phrases of a process ${measureFirstPhrases(locale)}`);
}

/** Measures the first phrases of a process that does nothing else. */
export function measureFirstPhrases(locale: string): string {
  const programArgs = ['bench/servers/first-phrases.ts', locale, ...(ORDINARY_PHRASES[locale] ?? [])];
  return execFileSync(process.execPath, programArgs, { encoding: 'utf8' }).trim();
}

/** In microseconds. */
interface Times {
  median: number;
  p95: number;
}

function renderTimes({ median, p95 }: Times): string {
  return `median ${median.toFixed(0)} µs, p95 ${p95.toFixed(0)} µs`;
}

function measureOrdinary(texts: readonly string[], parseText: (text: string) => unknown): Times {
  const rounds = Array.from({ length: ROUND_COUNT }, () =>
    texts.map((text) => measureMicroseconds(() => parseText(text))),
  );
  const warm = rounds
    .slice(ROUND_COUNT / 5)
    .flat()
    .sort((a, b) => a - b);
  const percentile = (share: number) => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  return { median: percentile(0.5), p95: percentile(0.95) };
}

function measureMicroseconds(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return 1000 * (performance.now() - startedAt);
}

function measureFuzzedTexts(locale: string): string {
  const texts = locale === 'en' ? anyText : createTextArbitrary(locale);
  let worst = { ms: 0, text: '' };
  for (let seed = 0; seed < FUZZED_COUNT / BATCH_SIZE; seed += 1) {
    const candidate = findSlowestText(fc.sample(texts, { numRuns: BATCH_SIZE, seed }), locale);
    if (candidate.ms > worst.ms) worst = candidate;
  }
  const verdict = worst.ms > MAX_MS ? `, over the limit of ${MAX_MS} ms: ${JSON.stringify(worst.text)}` : '';
  return `slowest of ${FUZZED_COUNT} fuzzed strings ${worst.ms.toFixed(1)} ms, none threw${verdict}`;
}
