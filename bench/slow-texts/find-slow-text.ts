import { MAX_WORDS } from '../../src/when/limits.ts';
import { measureCpuMs, measureMeanCpuMs } from '../../test/support/cpu-ms.ts';
import type { Random } from '../../test/support/random.ts';

/** A text, with the CPU time (ms) and the number of steps that its parsing took. */
interface SlowText {
  text: string;
  ms: number;
  steps: number;
}

export interface SearchedInput {
  words: readonly string[];
  /** Maximum lines in a text. */
  maxLines: number;
  /** Maximum number of characters in a line. */
  maxLineLength: number;
  /** Parses the text as a request does, and returns the number of steps. */
  countSteps: (text: string) => number;
}

/** Number of slow texts from which new texts are made. */
const POOL_SIZE = 30;
const WARM_UP_TEXTS = 100;
/** Share of texts that are random, not changed from a slow text. */
const NEW_TEXT_SHARE = 0.1;

/** Creates and changes random texts for `durationMs`, and keeps changing the slowest. Returns the slowest text. */
export function findSlowText(input: SearchedInput, durationMs: number, random: Random): SlowText {
  for (let count = 0; count < WARM_UP_TEXTS; count += 1) input.countSteps(createText(input, random));
  const pool: SlowText[] = [];
  const endsAt = performance.now() + durationMs;
  while (performance.now() < endsAt || pool.length === 0) {
    const isNew = pool.length < POOL_SIZE / 2 || random.drawBoolean(NEW_TEXT_SHARE);
    const text = isNew ? createText(input, random) : mutate(random.pick(pool).text, input, random);
    const fastest = pool.at(-1);
    const roughMs = measureCpuMs(() => input.countSteps(text));
    if (pool.length >= POOL_SIZE && fastest !== undefined && roughMs <= fastest.ms) continue;
    pool.push(measure(text, input));
    pool.sort((a, b) => b.ms - a.ms).splice(POOL_SIZE);
  }
  const [slowest = { text: '', ms: 0, steps: 0 }] = pool;
  return slowest;
}

function measure(text: string, { countSteps }: SearchedInput): SlowText {
  let steps = 0;
  const ms = measureMeanCpuMs(() => {
    steps = countSteps(text);
  });
  return { text, ms, steps };
}

function createText(input: SearchedInput, random: Random): string {
  const count = input.maxLines === 1 ? 1 : 1 + random.drawInteger(input.maxLines);
  return Array.from({ length: count }, () => createLine(input, random)).join('\n');
}

function createLine(input: SearchedInput, random: Random): string {
  return joinWords(
    Array.from({ length: MAX_WORDS }, () => random.pick(input.words)),
    input,
  );
}

function joinWords(words: readonly string[], { maxLineLength }: SearchedInput): string {
  return words.slice(0, MAX_WORDS).join(' ').slice(0, maxLineLength).trim();
}

function mutate(text: string, input: SearchedInput, random: Random): string {
  const lines = text.split('\n');
  const index = random.drawInteger(lines.length);
  if (input.maxLines > 1 && random.drawBoolean(0.2)) {
    const addedLine = random.drawBoolean(0.5) ? (lines[index] ?? '') : createLine(input, random);
    return [...lines, addedLine].slice(-input.maxLines).join('\n');
  }
  const words = (lines[index] ?? '').split(' ');
  for (let change = 0; change <= random.drawInteger(3); change += 1) changeWords(words, input, random);
  return lines.with(index, joinWords(words, input)).join('\n');
}

/** Replaces, removes, inserts, repeats or swaps words. */
function changeWords(words: string[], { words: allWords }: SearchedInput, random: Random): void {
  const index = random.drawInteger(words.length);
  switch (random.drawInteger(5)) {
    case 0:
      words[index] = random.pick(allWords);
      break;
    case 1:
      words.splice(index, 1);
      break;
    case 2:
      words.splice(index, 0, random.pick(allWords));
      break;
    case 3:
      words.splice(index, 0, ...words.slice(index, index + 1 + random.drawInteger(6)));
      break;
    default:
      words.push(...words.splice(index, 1 + random.drawInteger(4)));
  }
}
