import { expect, test } from 'vitest';
import { readCell } from '../../src/imports/cells.ts';
import { readHeadless, recognizeColumns } from '../../src/imports/columns.ts';
import { createTableBudget } from '../support/table-budget.ts';

/** Recognises columns by their names and cells, both separated by commas. */
async function recognize(names: string, ...lines: readonly string[]) {
  const rows = lines.map((line) => line.split(','));
  const columns = await recognizeColumns(names.split(','), rows, createTableBudget());
  if (!columns) throw new Error('no columns');
  return { columns, texts: rows.map((cells) => readCell({ cells }, columns.text)) };
}

test.each([
  ['Post,Caption', ['A new roast,Short', 'Second,'], 'Caption'],
  ['Post,Caption', ['A new roast,-', 'Second,Short'], 'Caption'],
  ['Content,Tweet', ['A new roast,Short', 'Second,Shorter'], 'Tweet'],
  ['Post,Message', ['A new roast,Freshness', 'Second,Taste'], 'Message'],
  ['Content,Text (on image)', ['A new roast,NEW', 'Second,2ND'], 'Text (on image)'],
  ['Content,Copy (approved?)', ['A new roast,yes', 'Second,no'], 'Copy (approved?)'],
  ['Content,Post copy', ['Teaser,A new roast', 'Story,Second', ','], 'Content'],
])('of the columns %s with %j one has the words of all posts', async (names, lines, unused) => {
  const { columns, texts } = await recognize(names, ...lines);
  expect(texts.slice(0, 2)).toEqual(['A new roast', 'Second']);
  expect(columns.unused).toEqual([unused]);
});

test.each([
  ['Creative link,Image', 'https://example.com/b.jpg,https://example.com/a.jpg', ['Image']],
  ['Image,Asset link', 'https://example.com/a.jpg,https://example.com/b.jpg', ['Image']],
  ['Media name,Image', 'wall.jpg,https://example.com/a.jpg', ['Image']],
  ['Text,Visual link', 'A,https://www.canva.com/design/1', []],
  ['Text,Visual link', 'A,https://example.com/a.jpg?v=2', ['Visual link']],
  ['Text,Photo link', 'A,https://acme.slack.com/files/U1/F1/wall', ['Photo link']],
  ['Text,Bild/Video', 'A,wall.jpg', ['Bild/Video']],
  ['Text,Media/Link', 'A,https://example.com/shop', []],
  ['Text,Media/Link', 'A,https://example.com/a.jpg', ['Media/Link']],
  ['Text,Visual', 'A,https://www.canva.com/design/1', ['Visual']],
])('of the columns %s with %s, those for pictures are %j', async (names, line, media) => {
  const { columns } = await recognize(names, line);
  expect(columns.media.map(({ name }) => name)).toEqual(media);
});

test.each([
  ['Media/Link', ['https://cdn.example.com/i/abc', 'https://example.com/p.jpg']],
  ['Media/Link', ['https://example.com/shop', 'wall.jpg']],
  ['Image/URL', ['https://drive.google.com/file/d/1']],
])('the column “%s” with %j is for pictures', async (name, cells) => {
  const { columns } = await recognize(`Text,${name}`, ...cells.map((cell) => `A,${cell}`));
  expect([columns.media.map((column) => column.name), columns.unused]).toEqual([[name], []]);
});

test('a column “Media/Link” of links to social networks isn’t for pictures', async () => {
  const { columns } = await recognize('Text,Media/Link', 'A,https://www.instagram.com/p/1');
  expect([columns.media, columns.unused]).toEqual([[], ['Media/Link']]);
});

test('the link of a table without names comes back in a column that is known', async () => {
  const { link } = readHeadless(['12/31/2026 09:00', 'A new roast', 'None']) ?? {};
  const columns = await recognizeColumns(['Text', link?.name ?? ''], [], createTableBudget());
  expect(columns?.link).toEqual({ index: 1, name: link?.name });
});
