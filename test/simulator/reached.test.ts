import { expect, test } from 'vitest';
import { listUnmatched, RULES } from './reached.ts';

test('a rule that had nothing to check in 500 seeds fails their run', () => {
  const [idle, ...others] = RULES;
  const reached = Object.fromEntries(others.map((rule) => [`rule: ${rule}`, 1]));
  expect(listUnmatched(reached, 500)).toEqual([idle]);
  expect(listUnmatched(reached, 499)).toEqual([]);
  expect(listUnmatched({ ...reached, [`rule: ${idle}`]: 1 }, 500)).toEqual([]);
});
