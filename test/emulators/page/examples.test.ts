import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { allExamples } from '../../../src/emulators/slack/page/examples/all-examples.js';
import { problemsOfBlocks, problemsOfView } from '../../../src/emulators/slack/rules/problems.ts';

const EXAMPLES = allExamples('http://127.0.0.1:3001');

/** Every `type: '…'` that the declarations of @slack/types name. */
async function knownTypes(file: string): Promise<string[]> {
  const folder = new URL('./block-kit/', import.meta.resolve('@slack/types'));
  const text = await readFile(new URL(`${file}.d.ts`, folder), 'utf8');
  return [...text.matchAll(/^\s+type: '([a-z_]+)';/gm)].map(([, type = '']) => type);
}

/** Every `type` that stands anywhere in a value. */
function typesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' ? [value.type] : [];
  return [...own, ...Object.values(value).flatMap(typesIn)];
}

describe('the examples', () => {
  test.each([
    ['blocks', 20],
    ['block-elements', 40],
    ['composition-objects', 4],
  ])('show every type that the %s of @slack/types know', async (file, least) => {
    const known = await knownTypes(file);
    expect(known.length).toBeGreaterThanOrEqual(least);
    const shown = new Set(EXAMPLES.flatMap(({ blocks }) => typesIn(blocks)));
    expect(known.filter((type) => !shown.has(type))).toEqual([]);
  });

  test.each(EXAMPLES)('$title keeps to the rules', ({ blocks, surface }) => {
    const title = { type: 'plain_text', text: 'Example' };
    const problems =
      surface === 'modal'
        ? problemsOfView({ type: 'modal', title, submit: title, blocks })
        : problemsOfBlocks(blocks);
    expect(problems).toEqual([]);
  });
});
