import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BAD_INPUT } from './list.ts';

describe.each(BAD_INPUT)('%s', (_from, proofs) => {
  test.each(proofs)('%s has a test', (_what, { file, says }) => {
    expect(readFileSync(file, 'utf8')).toContain(says);
  });

  test('nothing is listed twice', () => {
    expect(new Set(proofs.map(([what]) => what)).size).toBe(proofs.length);
  });
});

test('nothing is taken off the list', () => {
  const counts = BAD_INPUT.map(([from, proofs]) => `${from}: ${proofs.length}`);
  expect(counts).toEqual([
    'commands: 18',
    'forms: 25',
    'answers of the API: 28',
    'Slack’s payloads: 16',
    'settings: 13',
  ]);
});
