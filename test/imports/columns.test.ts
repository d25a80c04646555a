import { expect, test } from 'vitest';
import { recognizeColumns } from '../../src/imports/columns.ts';
import { createRowReader, type ReadRow } from '../../src/imports/read-row.ts';

const COFFEE = { id: 'p1', name: 'Harbour Coffee' };

/** Reads rows of cells below the names of columns, both separated by commas. */
function readRows(names: string, ...lines: readonly string[]) {
  const columns = recognizeColumns(names.split(','));
  if (!columns) throw new Error('no columns');
  const rows = lines.map((line, index) => ({ number: index + 2, cells: line.split(',') }));
  const zone = columns.declaredZone ?? 'Europe/Berlin';
  const readRow = createRowReader({
    ...{ rows, columns, settings: { zone, project: COFFEE, platforms: ['X'] } },
    ...{ projects: [COFFEE], now: new Date('2026-11-20T10:15:00Z'), maySchedule: () => true },
  });
  return { columns, read: rows.map(readRow) };
}

/** The time of a row, or its problem. */
const summarizeTime = ({ post, problems }: ReadRow) =>
  problems[0]?.problem ?? post.moment?.instant.toISOString().slice(0, 16);

test('the links of a cell are told apart in a time that grows with its length', () => {
  const cell = `${' '.repeat(200_000)}x HTTPS://example.com/a.jpg;https://example.com/b.jpg`;
  const { read } = readRows('Time,Text,Media', `2026-12-01 09:00,A,${cell}`);
  expect(read.map(({ post, notes }) => [post.media, notes])).toEqual([
    ['x', ['Only the first media link is imported.']],
  ]);
});

test.each([
  ['Post #,Image #1,Image #2,Time,Text', '1,https://example.com/a.jpg,,2026-12-08 17:30,A'],
  ['Media URL #1,Time,Platform #1,Text', 'https://example.com/a.jpg,2026-12-08 17:30,X,A'],
  ['Tweet #1,Time,Row #,Image', 'A,2026-12-08 17:30,3,https://example.com/a.jpg'],
])('numbered columns are known: %s', (names, line) => {
  const { columns, read } = readRows(names, line);
  expect(columns.unused).toEqual(names.startsWith('Post #') ? ['Post #'] : []);
  expect(read.map(({ post: { text, media, platforms } }) => [text, media, platforms])).toEqual([
    ['A', 'https://example.com/a.jpg', ['X']],
  ]);
});

test.each(['1.12.26', '01.12.26', '1.12.'])('“%s” is a date, not a time of day', (cell) => {
  const { read } = readRows('Date,Text', `${cell},A`);
  expect(read.map(summarizeTime)).toEqual(['2026-12-01T08:00']);
});

test('a date without a year that may be a time of day is named with its meanings', () => {
  const { read } = readRows('Date,Text', '01.12,A');
  expect(read.map(summarizeTime)).toEqual([expect.stringContaining('“01.12” can be ')]);
});
