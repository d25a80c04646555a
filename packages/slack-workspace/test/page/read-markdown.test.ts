import { expect, test } from 'vitest';
import { readMarkdown } from '../../src/page/blocks/markdown.ts';

const makeItem = (text: string, isDone: boolean) => ({ text, depth: 0, isDone });
const makeList = (isOrdered: boolean, ...items: (string | object)[]) => ({
  type: 'list',
  isOrdered,
  items: items.map((item) => (typeof item === 'string' ? { text: item, depth: 0 } : item)),
});

test.each([
  ['# Title #', [{ type: 'heading', level: 1, text: 'Title' }]],
  ['one\ntwo\n\nthree', [{ type: 'text', text: 'one\ntwo\n\nthree' }]],
  ['a\n---\nb', [{ type: 'text', text: 'a' }, { type: 'rule' }, { type: 'text', text: 'b' }]],
  ['> one\n> two', [{ type: 'quote', text: 'one\ntwo' }]],
  ['```js\nlet a;\n\n# b\n```', [{ type: 'code', text: 'let a;\n\n# b' }]],
  ['```\nnot finished', [{ type: 'code', text: 'not finished' }]],
  [
    '- a\n  * b\n- [x] c\n- [ ] d',
    [makeList(false, 'a', { text: 'b', depth: 1 }, makeItem('c', true), makeItem('d', false))],
  ],
  ['1. a\n2) b', [makeList(true, 'a', 'b')]],
  ['- a\n  1. b\n1. c', [makeList(false, 'a', { text: 'b', depth: 1 }), makeList(true, 'c')]],
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
