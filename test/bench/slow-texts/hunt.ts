import type { Random } from '../../support/random.ts';
import { worked } from '../../when/any-text.ts';

/** A text, the CPU time of its thread (ms), and its number of parsing steps. */
interface SlowText {
  text: string;
  ms: number;
  steps: number;
}

export interface SearchedInput {
  words: readonly string[];
  /** Maximum number of lines of a text, and of characters in a line. */
  lines: number;
  length: number;
  /** Parses the text as a request does, and returns the number of steps. */
  read: (text: string) => number;
}

/** The number of slowest texts from which new texts are made. */
const POOL_SIZE = 30;
const WARM_UP = 100;
const MAX_WORDS = 60;
const NEW_SHARE = 0.1;

/** Changes words, lines and their order until the time is over, and continues with the texts that became slower. */
export function findSlowText(input: SearchedInput, ms: number, random: Random): SlowText {
  for (let use = 0; use < WARM_UP; use += 1) input.read(createText(input, random));
  const pool: SlowText[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until || pool.length === 0) {
    const isNew = pool.length < POOL_SIZE / 2 || random.chance(NEW_SHARE);
    const text = isNew ? createText(input, random) : mutate(random.pick(pool).text, input, random);
    const first = measure(text, input);
    const last = pool.at(-1);
    if (pool.length >= POOL_SIZE && last !== undefined && first.ms <= last.ms) continue;
    // The lower of two measurements counts, because other programs may have slowed down the first.
    const second = measure(text, input);
    pool.push(second.ms < first.ms ? second : first);
    pool.sort((a, b) => b.ms - a.ms).splice(POOL_SIZE);
  }
  const [slowest = { text: '', ms: 0, steps: 0 }] = pool;
  return slowest;
}

function measure(text: string, { read }: SearchedInput): SlowText {
  let steps = 0;
  const ms = worked(() => {
    steps = read(text);
  });
  return { text, ms, steps };
}

function createText(input: SearchedInput, random: Random): string {
  const count = input.lines === 1 ? 1 : 1 + random.below(input.lines);
  return Array.from({ length: count }, () => createLine(input, random)).join('\n');
}

function createLine(input: SearchedInput, random: Random): string {
  return joinWords(
    Array.from({ length: MAX_WORDS }, () => random.pick(input.words)),
    input,
  );
}

function joinWords(words: readonly string[], { length }: SearchedInput): string {
  return words.slice(0, MAX_WORDS).join(' ').slice(0, length).trim();
}

function mutate(text: string, input: SearchedInput, random: Random): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  if (input.lines > 1 && random.chance(0.2)) {
    const addedLine = random.chance(0.5) ? (lines[at] ?? '') : createLine(input, random);
    return [...lines, addedLine].slice(-input.lines).join('\n');
  }
  const words = (lines[at] ?? '').split(' ');
  for (let change = 0; change <= random.below(3); change += 1) changeWords(words, input, random);
  return lines.with(at, joinWords(words, input)).join('\n');
}

/** Replaces, removes, inserts, repeats or swaps words. */
function changeWords(words: string[], { words: all }: SearchedInput, random: Random): void {
  const at = random.below(words.length);
  switch (random.below(5)) {
    case 0:
      words[at] = random.pick(all);
      break;
    case 1:
      words.splice(at, 1);
      break;
    case 2:
      words.splice(at, 0, random.pick(all));
      break;
    case 3:
      words.splice(at, 0, ...words.slice(at, at + 1 + random.below(6)));
      break;
    default:
      words.push(...words.splice(at, 1 + random.below(4)));
  }
}
