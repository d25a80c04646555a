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
