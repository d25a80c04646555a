import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { listExamples } from '../../../src/emulators/slack/page/examples/all-examples.js';
import { findBlockProblems, findViewProblems } from '../../../src/emulators/slack/rules/find-problems.ts';

const EXAMPLES = listExamples('http://127.0.0.1:3001');

/** Lists every `type: '…'` in a declaration file of @slack/types. */
async function readKnownTypes(file: string): Promise<string[]> {
  const folder = new URL('./block-kit/', import.meta.resolve('@slack/types'));
  const text = await readFile(new URL(`${file}.d.ts`, folder), 'utf8');
  return [...text.matchAll(/^\s+type: '([a-z_]+)';/gm)].map(([, type = '']) => type);
}

/** Lists every `type` in a value, at any depth. */
function listTypes(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const ownType = 'type' in value && typeof value.type === 'string' ? [value.type] : [];
  return [...ownType, ...Object.values(value).flatMap(listTypes)];
}

describe('the examples of blocks', () => {
  test.each([
    ['blocks', 20],
    ['block-elements', 40],
    ['composition-objects', 4],
  ])('the examples contain every type in the %s of @slack/types', async (file, minCount) => {
    const knownTypes = await readKnownTypes(file);
    expect(knownTypes.length).toBeGreaterThanOrEqual(minCount);
    const shownTypes = new Set(EXAMPLES.flatMap(({ blocks }) => listTypes(blocks)));
    expect(knownTypes.filter((type) => !shownTypes.has(type))).toEqual([]);
  });

  test.each(EXAMPLES)('the example "$title" follows Slack’s rules', ({ blocks, surface }) => {
    const title = { type: 'plain_text', text: 'Example' };
    const problems =
      surface === 'modal'
        ? findViewProblems({ type: 'modal', title, submit: title, blocks })
        : findBlockProblems(blocks);
    expect(problems).toEqual([]);
  });
});
