import { expect, test } from 'vitest';
import { readMarkdown } from '../../src/page/blocks/markdown.ts';

test.each([
  ['# Title #', [{ type: 'heading', level: 1, text: 'Title' }]],
  ['one\ntwo\n\nthree', [{ type: 'text', text: 'one\ntwo\n\nthree' }]],
  ['a\n---\nb', [{ type: 'text', text: 'a' }, { type: 'rule' }, { type: 'text', text: 'b' }]],
  ['> one\n> two', [{ type: 'quote', text: 'one\ntwo' }]],
  ['```js\nlet a;\n\n# b\n```', [{ type: 'code', text: 'let a;\n\n# b' }]],
  ['```\nnot finished', [{ type: 'code', text: 'not finished' }]],
  [
    '- a\n  * b\n- [x] c\n- [ ] d',
    [
      {
        type: 'list',
        isOrdered: false,
        items: [
          { text: 'a', depth: 0 },
          { text: 'b', depth: 1 },
          { text: 'c', depth: 0, isDone: true },
          { text: 'd', depth: 0, isDone: false },
        ],
      },
    ],
  ],
  [
    '1. a\n2) b',
    [
      {
        type: 'list',
        isOrdered: true,
        items: [
          { text: 'a', depth: 0 },
          { text: 'b', depth: 0 },
        ],
      },
    ],
  ],
  [
    '- a\n  1. b\n1. c',
    [
      {
        type: 'list',
        isOrdered: false,
        items: [
          { text: 'a', depth: 0 },
          { text: 'b', depth: 1 },
        ],
      },
      { type: 'list', isOrdered: true, items: [{ text: 'c', depth: 0 }] },
    ],
  ],
  [
    '| a | b |\n|---|:-:|\n| 1 | x \\| y |\nend',
    [
      { type: 'table', head: ['a', 'b'], rows: [['1', 'x | y']] },
      { type: 'text', text: 'end' },
    ],
  ],
  ['| no table |', [{ type: 'text', text: '| no table |' }]],
  ['', []],
])('the parts of %j', (markdown, parts) => {
  expect(readMarkdown(markdown)).toEqual(parts);
});

test('markdown of any kind is read to its end', () => {
  const marks = ['```', '|', '|---|', '- ', '> ', '# ', '1. ', '***', '\n', 'x'];
  for (const one of marks)
    for (const two of marks)
      for (const three of marks) {
        expect(Array.isArray(readMarkdown(`${one}${two}\n${three}`))).toBe(true);
      }
});
