import { expect, test } from 'vitest';
import { findMarks } from '../../src/posts/text-findings.ts';

test.each([
  [
    '# Big news\n**We open** on Friday. [Book a table](https://example.com/book)',
    ['“**”', '“[…](…)”', '“# ”'],
  ],
  ['Tom &amp; Ana<br>second line', ['“&…;”', '“<br>”']],
  ['Line one\\nLine two', ['“\\n”']],
])('people are told that no platform reads the marks of %j', (text, marks) => {
  const [finding = ''] = findMarks(text);
  for (const mark of marks) expect(finding).toContain(mark);
});

test.each([
  '2 ** 3',
  '5 * 3 * 2',
  '#coffee',
  '<3',
  'AT&T',
  'a < b > c',
  '[sic] (2026)',
  'C:\\new',
  '\\server\\news',
])('%j is text like any other', (text) => expect(findMarks(text)).toEqual([]));
