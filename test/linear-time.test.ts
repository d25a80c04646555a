import { expect, test } from 'vitest';
import { measureCpuMs } from './support/cpu-ms.ts';
import { ARGUMENTS_BY_TYPE, FURTHER_CALLS, UNTESTED } from './support/text-arguments.ts';
import {
  createInputs,
  findTextFunctions,
  importFunction,
  listPatterns,
  type TextFunction,
} from './support/text-functions.ts';
import { WORST_TEXTS } from './support/worst-texts.ts';

/** Folders whose functions take no text from outside, or only short ones. */
const WITHOUT_TEXTS = {
  'start, cli and config': ['start', 'cli', 'config', 'main.ts'],
  'what the app itself stores and reads': ['store', 'engine'],
  // src/when/limits.ts. The five public files are tested.
  'texts of at most 200 UTF-16 units': [
    ...['grammar', 'readings', 'zones', 'tidy-text.ts', 'limits.ts'].map((name) => `when/${name}`),
    ...['moment.ts', 'understand-moment.ts'].map((name) => `when/${name}`),
  ],
};
const functions = findTextFunctions(Object.values(WITHOUT_TEXTS).flat());

/** UTF-16 units. Linear work on them takes less than a millisecond, and quadratic work some ten. */
const LENGTH = 6_000;
/** Shorter durations say nothing about growth (ms). */
const MIN_MS = 4;
/** Four times as much text may take eight times as long, and sixteen times in quadratic time. */
const MAX_GROWTH = 4 ** 1.5;
/** The shortest of several durations counts, because a busy machine only makes them longer. */
const ATTEMPTS = 8;

/** Whether work on four times as much text takes much more than four times as long. */
function isSuperlinear(work: (length: number) => unknown): boolean {
  const startedAt = performance.now();
  work(LENGTH);
  if (performance.now() - startedAt < MIN_MS) return false;
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Four times, because CPU time is counted in steps that a single call may not reach.
    const fourMs = measureCpuMs(() => {
      for (let call = 0; call < 4; call += 1) work(LENGTH / 4);
    });
    shortMs = Math.min(shortMs, fourMs / 4);
    longMs = Math.min(
      longMs,
      measureCpuMs(() => work(LENGTH)),
    );
    if (longMs < MIN_MS || (shortMs > 0 && longMs <= MAX_GROWTH * shortMs)) return false;
  }
  return true;
}

/** What a call throws says nothing about how long it takes. */
function callSafely(work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {}
}

/** Lists the texts with which `work` takes superlinear time, up to the first. */
function findSlowTexts(name: string, work: (text: string) => unknown): string[] {
  const slow = WORST_TEXTS.find(({ create }) =>
    isSuperlinear((length) => callSafely(() => work(create(length)))),
  );
  return slow ? [`${name}: ${slow.name}`] : [];
}

const lacksArguments = ({ furtherTypes }: TextFunction) =>
  furtherTypes.some((type) => ARGUMENTS_BY_TYPE[type] === undefined);

test('every exported function that takes text is tested, or says why not', () => {
  const untested = functions.filter(lacksArguments).filter(({ name }) => UNTESTED[name] === undefined);
  expect(untested.map(({ name, furtherTypes }) => [name, ...furtherTypes])).toEqual([]);
  const names = functions.map(({ name }) => name);
  expect(Object.keys(UNTESTED).filter((name) => !names.includes(name))).toEqual([]);
});

test('exported functions take linear time for the worst texts', async () => {
  const slow: string[] = [];
  for (const found of functions) {
    if (UNTESTED[found.name] !== undefined) continue;
    const call = await importFunction(found);
    const work = (text: string) => {
      const further = found.furtherTypes.map((type) => ARGUMENTS_BY_TYPE[type]?.(text));
      for (const input of createInputs(found.input, text)) callSafely(() => call(input, ...further));
    };
    slow.push(...findSlowTexts(found.name, work));
  }
  for (const [name, work] of Object.entries(FURTHER_CALLS)) slow.push(...findSlowTexts(name, work));
  expect(slow).toEqual([]);
});

test('patterns take linear time for runs of the characters that they name', () => {
  const slow = listPatterns(['when', 'start', 'cli', 'config']).flatMap(({ name, pattern, texts }) =>
    texts.some((create) => isSuperlinear((length) => create(2 * length).replace(pattern, ''))) ? [name] : [],
  );
  expect(slow).toEqual([]);
});

test('a quadratic function is found', () => {
  expect(findSlowTexts('trimEnd', (text) => text.replace(/\s+$/, ''))).not.toEqual([]);
  expect(findSlowTexts('trimEnd', (text) => text.trimEnd())).toEqual([]);
});
