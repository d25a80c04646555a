import type { Luck } from '../../support/luck.ts';
import { worked } from '../../when/any-text.ts';

/** A text, the CPU time of its thread (ms), and its number of parsing steps. */
interface Slow {
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

/** How many of the slowest texts are kept to make new ones from them. */
const POOL = 30;
const WARM_UP = 100;
const MAX_WORDS = 60;
const NEW_SHARE = 0.1;

/** Changes words, lines and their order until the time is over, and continues with the texts that became slower. */
export function findSlowText(input: SearchedInput, ms: number, luck: Luck): Slow {
  for (let use = 0; use < WARM_UP; use += 1) input.read(anyText(input, luck));
  const pool: Slow[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until || pool.length === 0) {
    const isNew = pool.length < POOL / 2 || luck.chance(NEW_SHARE);
    const text = isNew ? anyText(input, luck) : mutate(luck.pick(pool).text, input, luck);
    const first = measure(text, input);
    const last = pool.at(-1);
    if (pool.length >= POOL && last !== undefined && first.ms <= last.ms) continue;
    // The lower of two measurements counts, because the machine may have paused during the first.
    const again = measure(text, input);
    pool.push(again.ms < first.ms ? again : first);
    pool.sort((a, b) => b.ms - a.ms).splice(POOL);
  }
  const [slowest = { text: '', ms: 0, steps: 0 }] = pool;
  return slowest;
}

function measure(text: string, { read }: SearchedInput): Slow {
  let steps = 0;
  const ms = worked(() => {
    steps = read(text);
  });
  return { text, ms, steps };
}

function anyText(input: SearchedInput, luck: Luck): string {
  const count = input.lines === 1 ? 1 : 1 + luck.below(input.lines);
  return Array.from({ length: count }, () => anyLine(input, luck)).join('\n');
}

function anyLine(input: SearchedInput, luck: Luck): string {
  return joinWords(
    Array.from({ length: MAX_WORDS }, () => luck.pick(input.words)),
    input,
  );
}

function joinWords(words: readonly string[], { length }: SearchedInput): string {
  return words.slice(0, MAX_WORDS).join(' ').slice(0, length).trim();
}

function mutate(text: string, input: SearchedInput, luck: Luck): string {
  const lines = text.split('\n');
  const at = luck.below(lines.length);
  if (input.lines > 1 && luck.chance(0.2)) {
    const more = luck.chance(0.5) ? (lines[at] ?? '') : anyLine(input, luck);
    return [...lines, more].slice(-input.lines).join('\n');
  }
  const words = (lines[at] ?? '').split(' ');
  for (let change = 0; change <= luck.below(3); change += 1) changeWords(words, input, luck);
  return lines.with(at, joinWords(words, input)).join('\n');
}

/** Replaces, removes, inserts, repeats or swaps words. */
function changeWords(words: string[], { words: all }: SearchedInput, luck: Luck): void {
  const at = luck.below(words.length);
  switch (luck.below(5)) {
    case 0:
      words[at] = luck.pick(all);
      break;
    case 1:
      words.splice(at, 1);
      break;
    case 2:
      words.splice(at, 0, luck.pick(all));
      break;
    case 3:
      words.splice(at, 0, ...words.slice(at, at + 1 + luck.below(6)));
      break;
    default:
      words.push(...words.splice(at, 1 + luck.below(4)));
  }
}
