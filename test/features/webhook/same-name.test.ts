import { expect, test } from 'vitest';
import { isSameName } from '../../../src/features/webhook/webhook.ts';

test.each([
  ['Harbour Coffee', 'Harbour Coffee'],
  ['  Harbour  Coffee\n', 'Harbour Coffee'],
  ['Harbour Coffee', 'Harbour\u00a0Coffee'],
  ['Cafe\u0301', 'Café'],
  ['Ana’s “Books”', 'Ana\'s "Books"'],
  ['Books', 'Bo\u200boks'],
])('typing %j matches the name %j', (typedName, name) => {
  expect(isSameName(typedName, name)).toBe(true);
});

test.each([
  ['harbour coffee', 'Harbour Coffee'],
  ['Harbour', 'Harbour Coffee'],
  ['', ''],
  ['\u200b', '\u200b'],
  ['Cafe', 'Café'],
  ['Ｂooks', 'Books'],
])('typing %j does not match the name %j', (typedName, name) => {
  expect(isSameName(typedName, name)).toBe(false);
});
