import { expect, test } from 'vitest';
import { formatCsv, removeFormulaMark } from '../../src/slack/csv.ts';
import { measureMeanCpuMs } from '../support/cpu-ms.ts';

/** Formats a single cell. */
const formatCell = (text: string) => formatCsv([[text]]).slice(1, -2);

/** Blanks, fillers, marks and controls, as some programs leave them out before they read a cell. */
const UNSEEN = [
  ...[
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u0085',
    '\u0008',
    '\u00ad',
    '\u200b',
    '\u202e',
    '\u2060',
  ],
  ...['\ufeff', '\u034f', '\u115f', '\u1160', '\u3164', '\uffa0', '\u17b4', '\u180b', '\u2800', '\ufe0f'],
  ...['\u0301', '\u20dd', '\u{1d159}', '\u{e0001}', '\u{e0100}', '\u{1bca0}'],
];
const STARTS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '⁼', '₊', '⩵'];

test('a cell starts no formula, whatever unseen characters are before it, and is read back unchanged', () => {
  const cells = STARTS.flatMap((start) =>
    UNSEEN.flatMap((unseen) => [
      `${unseen}${start}A1`,
      `${unseen}\u3164${unseen}${start}A1`,
      `'${unseen}${start}`,
    ]),
  );
  expect(cells.filter((cell) => !/^"?'/.test(formatCell(cell)))).toEqual([]);
  expect(cells.map((cell) => removeFormulaMark(`'${cell}`))).toEqual(cells);
});

test('a mark above an equals sign makes it no other character for a program without marks', () => {
  expect(formatCell('=\u0338A1')).toBe("'=\u0338A1");
});

test.each(['A=1', '\u3164A', 'é', '5 - 3', '’=1', '한글', ''])('“%s” is no formula', (text) => {
  expect(formatCell(text)).toBe(text);
  expect(removeFormulaMark(`'${text}`)).toBe(`'${text}`);
});

test.each(["'", '\u0301', '\u3164', ' ', '='])(
  'a cell that repeats “%s” is formatted in a time that grows with it',
  (part) => {
    const measure = (count: number) =>
      measureMeanCpuMs(() => removeFormulaMark(formatCell(part.repeat(count))));
    measure(20_000);
    expect(measure(80_000)).toBeLessThan(9 * Math.max(1, measure(20_000)));
  },
);
