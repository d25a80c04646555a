import { expect, test } from 'vitest';
import { looksMasked } from '../../../src/features/sources/source-context.ts';

test.each([
  '****',
  'sk-****abcd',
  '••••••••',
  '••••1234',
  '…',
  'sk-…f00d',
  'sk-...f00d',
  '[REDACTED]',
  '<hidden>',
  'redacted',
  'xxxx',
  'XXXX-XXXX',
  'https://user:xxxxx@host/feed',
  '####',
])('%s looks like a mask', (value) => {
  expect(looksMasked(value)).toBe(true);
});

test.each([
  'https://harbour-coffee.example/blog/feed.xml',
  'https://x.com/max',
  'a*b**c',
  'XXL',
  'redacted documents feed',
  'foo..bar',
  '#1 ## x',
  '',
])('%s does not look like a mask', (value) => {
  expect(looksMasked(value)).toBe(false);
});
