import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BAD_INPUT } from './list.ts';

describe.each(BAD_INPUT)('bad input from %s', (_origin, proofs) => {
  test.each(proofs)('a test covers the bad input: %s', (_name, { file, text }) => {
    expect(readFileSync(file, 'utf8')).toContain(text);
  });

  test('each bad input is listed once', () => {
    expect(new Set(proofs.map(([name]) => name)).size).toBe(proofs.length);
  });
});

test('the number of bad inputs of each kind has not changed', () => {
  const counts = BAD_INPUT.map(([origin, proofs]) => `${origin}: ${proofs.length}`);
  expect(counts).toEqual([
    'commands: 18',
    'forms: 25',
    'answers of the API: 28',
    'Slack’s payloads: 16',
    'settings: 13',
  ]);
});
