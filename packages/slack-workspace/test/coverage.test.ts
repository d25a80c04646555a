import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BLOCK_RULES } from '../src/rules/block-rules.ts';
import { ELEMENT_RULES } from '../src/rules/element-rules.ts';
import { EVENT_RULES } from '../src/rules/event-rules.ts';
import { METHODS } from '../src/web-api/methods.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The names in a row of the README's table. */
function readRow(title: string): string[] {
  const [, cell = ''] = new RegExp(`^\\| ${title} \\| (.*) \\|$`, 'm').exec(README) ?? [];
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test.each([
  ['Methods', [...METHODS.keys()].toSorted()],
  ['Events', Object.keys(EVENT_RULES)],
  // In rules, an image element differs from an image block.
  ['Blocks', Object.keys(BLOCK_RULES).filter((name) => name !== 'image_element')],
  ['Elements', Object.keys(ELEMENT_RULES)],
])('the README lists all %s', (title, names) => {
  expect(readRow(title)).toEqual(names);
});
