import { expect, test } from 'vitest';
import { recognizeColumns } from '../../src/imports/columns.ts';
import { createRowReader } from '../../src/imports/read-row.ts';
import { createTableBudget } from '../support/table-budget.ts';

const NAMES = ['Time', 'Text', 'Link', 'Media', 'Alt text', 'Text for X', 'Draft'];

async function readRows(names: readonly string[], cells: readonly (readonly string[])[]) {
  const columns = await recognizeColumns(names, cells, createTableBudget());
  if (!columns) throw new Error('no columns');
  const project = { id: 'p1', name: 'Harbour Coffee' };
  const rows = cells.map((ofRow, index) => ({ number: index + 2, cells: ofRow }));
  const read = createRowReader({
    ...{ rows, columns, settings: { zone: 'Europe/Berlin', project, platforms: ['X', 'LINKEDIN'] } },
    ...{ projects: [project], now: new Date('2026-11-20T10:15:00Z'), maySchedule: () => true },
  });
  return rows.map(read);
}

/** Reads rows with these cells after the time. */
async function readCells(...cells: readonly (readonly string[])[]) {
  return readRows(
    NAMES,
    cells.map((ofRow) => ['2026-12-08 17:30', ...ofRow]),
  );
}

test('a cell that says nothing never goes out', async () => {
  const read = await readCells(
    ['A', '-', '–', 'n/a', 'N/A'],
    ['B', 'example.com/b', 'https://example.com/b.jpg', 'A bag', 'Short'],
  );
  expect(read.map(({ problems }) => problems)).toEqual([[], []]);
  expect(
    read.map(({ post: { text, media, altText, ownTexts } }) => [text, media, altText, ownTexts]),
  ).toEqual([
    ['A', '', undefined, undefined],
    ['B\nexample.com/b', 'https://example.com/b.jpg', 'A bag', { X: 'Short' }],
  ]);
});

test('a text that says nothing is empty, also beside a picture', async () => {
  const media = 'https://example.com/a.jpg';
  const cells = ['-', '–', ' N/A ', 'k.A.', 'n.a.'].map((text) => [text, '', media]);
  const read = await readCells(...cells);
  expect(read.map(({ post }) => post.text)).toEqual(['', '', '', '', '']);
});

test.each([
  ['n.a.', 'A'],
  ['k.A.', 'A'],
  ['example.com, example.org', 'A\nexample.com, example.org'],
  ['münchen.de/café?a=1', 'A\nmünchen.de/café?a=1'],
  ['tel:+4930123', 'A\ntel:+4930123'],
  ['Tel:+4930123', 'A\nTel:+4930123'],
  ['sms:+4930123', 'A\nsms:+4930123'],
  ['mailto:shop@example.com', 'A\nmailto:shop@example.com'],
  ['acme-shop://offers/1', 'A\nacme-shop://offers/1'],
  ['http://127.0.0.1:3001/', 'A\nhttp://127.0.0.1:3001/'],
])('the link “%s” is no problem', async (link, text) => {
  const [row] = await readCells(['A', link]);
  expect([row?.post.text, row?.problems]).toEqual([text, []]);
});

test.each([
  'none',
  'Link in bio',
  '#N/A',
  '#REF!',
  '0',
  '?',
  'TBD-2',
  'tba:soon',
  '/shop',
  'v1.2',
  '{{link}}',
])('“%s” is no link, and isn’t added to the text', async (link) => {
  const [row] = await readCells(['A', link, '', '', '']);
  expect(row?.post.text).toBe('A');
  expect(row?.problems).toEqual([
    {
      column: 'Link',
      value: link,
      problem: 'This isn’t a link. If it belongs to the text, write it there.',
      part: 'link',
    },
  ]);
});

test.each([
  ['Text', ['#NAME?', '', '', '', '']],
  ['Alt text', ['A', '', 'https://example.com/a.jpg', '#BEZUG!', '']],
  ['Text for X', ['A', '', '', '', '#¿NOMBRE?']],
  ['Media', ['A', '', '#N/A', '', '']],
])('an error of a spreadsheet in “%s” never goes out', async (column, cells) => {
  const [row] = await readCells(cells);
  expect(row?.problems.map((problem) => problem.column)).toEqual([column]);
});

test.each([
  ['fÃ¼r', true],
  ['itâ€™s here', true],
  ['A new roast ðŸ˜€', true],
  ['fŸr alle', true],
  ['A new roast ?? is here', true],
  ['A new roast ☕ für alle, naïve', false],
  ['NÃO! AMANHÃ… Škoda', false],
  ['Really?? What???', false],
  ['Prêt ?? On y va', false],
  ['Prêt ??', false],
])('“%s” has broken letters or emoji: %s', async (text, isBroken) => {
  const [row] = await readCells([text, '', '', '', '']);
  const note = 'Some letters or emoji look broken. If so, save the file as CSV (UTF-8), and drop it again.';
  expect(row?.notes).toEqual(isBroken ? [note] : []);
});

test('a quotation mark that isn’t closed never makes one post of several rows', async () => {
  const [swallowed, quoted] = await readCells(
    ['"Hello all,,,,\n2026-12-09 17:30,Second,,,,\n2026-12-10 17:30,"Third"', '', '', '', ''],
    ['"Hello" all,\ncome on 2026-12-09, to us, and bring, a friend, or two', '', '', '', ''],
  );
  expect(swallowed?.problems.map(({ problem }) => problem)).toEqual([
    'This text has further rows in it. Close its first quotation mark, or write it twice: "".',
  ]);
  expect(quoted?.problems).toEqual([]);
});

test('a quotation at the beginning of a text may be followed by dates', async () => {
  const [dates] = await readCells([
    '"Save the dates"\n2026-12-09, London, noon, us, you, all\n2026-12-10, Paris, a, b, c, d',
  ]);
  expect(dates?.problems).toEqual([]);
});

test('further rows in a text are found by a date in words, too', async () => {
  const [swallowed] = await readCells(['"Hello all,,,,\nTue 8 Dec 2026 17:30,Second,,,,']);
  expect(swallowed?.problems).toHaveLength(1);
});

test('words beside the names of files in a column “Visual” are only noted', async () => {
  const notes = ['Carousel:\nslide1.png\nslide2.png', 'logo.png, roof.jpg, both outdoors'];
  const media = ['wall.jpg', ...notes, 'wall 2.jpg', 'wall.jpg, roof 2.jpg', 'door.jpg'];
  const cells = media.map((cell) => ['2026-12-08 17:30', 'A', cell]);
  const read = await readRows(['Time', 'Text', 'Visual'], cells);
  expect(read.map(({ post, problems }) => [post.media, ...problems.map(({ problem }) => problem)])).toEqual([
    ['wall.jpg'],
    [''],
    [''],
    ['wall 2.jpg'],
    ['', 'A post has one picture or video. Write the name of one file.'],
    ['door.jpg'],
  ]);
  const note = 'Words instead of media aren’t used.';
  expect(read.map((row) => row.notes)).toEqual([[], [note], [note], [], [], []]);
});

test.each([
  'https://res.cloudinary.com/demo/w_400,h_400/a.jpg,https://res.cloudinary.com/demo/w_400,h_400/b.jpg',
  'https://cdn.example.com/combine/a.jpg,b.jpg,c.jpg',
])('the commas of links separate no names: %s', async (cell) => {
  const [row] = await readCells(['A', '', cell]);
  expect([row?.problems, row?.post.media]).toEqual([[], cell.split(',https')[0]]);
});

test.each([
  ['https://www.canva.com/design/1/view', false],
  ['https://imgur.com/gallery/1', false],
  ['https://we.tl/t-1', false],
  ['https://drive.google.com/file/d/1/view', true],
  ['https://www.dropbox.com/s/1/a', true],
])('whether %s makes a column “Media/Link” one of media: %s', async (cell, isMedia) => {
  const columns = await recognizeColumns(
    ['Time', 'Text', 'Media/Link'],
    [['2026-12-08 17:30', 'A', cell]],
    createTableBudget(),
  );
  expect(columns?.media).toHaveLength(isMedia ? 1 : 0);
});

test.each([
  ['Alt text', 'A cup || A bag'],
  ['Alt text(s) - Separated by ||', 'A cup||A bag'],
  ['Alt text picture 1', 'A cup'],
])('of several pictures, the first one has its own description in “%s”', async (name, cell) => {
  const names = ['Time', 'Text', 'Picture Url 1', 'Picture Url 2', name, 'Alt text picture 2'];
  const [wall, roof] = ['https://example.com/wall.jpg', 'https://example.com/roof.jpg'];
  const [row] = await readRows(names, [['2026-12-08 17:30', 'A', wall, roof, cell, 'A roof']]);
  expect([row?.post.media, row?.post.altText]).toEqual([wall, 'A cup']);
});

test('the description of a single picture may have bars', async () => {
  const [row] = await readCells(['A', '', 'https://example.com/menu.jpg', 'Menu: soup || salad']);
  expect(row?.post.altText).toBe('Menu: soup || salad');
});

test.each([
  ...['WAHR', 'vrai', '✅', '✔️', '☑️', 'Sì', 'x', 'Draft', 'Entwurf'].map((cell) => [cell, 'draft']),
  ...[
    'in progress',
    'In  Progress',
    'work-in-progress',
    'In Bearbeitung',
    'à faire',
    'em andamento',
    'WIP',
    '作成中',
  ].map((cell) => [cell, 'draft']),
  ...['Final', 'ready to post', 'fertig', 'prête', 'klaar', '確定'].map((cell) => [cell, 'scheduled']),
  ...['FALSCH', 'faux', '', 'Scheduled', 'Our first idea'].map((cell) => [cell, 'scheduled']),
  ...['Idea: new blend!', 'Offen für alle'].map((cell) => [cell, 'scheduled']),
  ...['–', '—', 'No.', 'none', '❌', 'https://docs.google.com/document/d/1'].map((cell) => [
    cell,
    'scheduled',
  ]),
  ...['perhaps', 'Done', '完了', 'pronto', 'pre-approved', 'Draft (v2)', 'not yet', 'needs approval'].map(
    (cell) => [cell, 'Draft: I don’t know this status. Write Scheduled or Draft, or leave it empty.'],
  ),
])('“%s” in a column “Draft” means: %s', async (cell, meaning) => {
  const [row] = await readCells(['A', '', '', '', '', cell]);
  const [problem] = row?.problems ?? [];
  const status = row?.post.isDraft ? 'draft' : 'scheduled';
  expect(problem ? `${problem.column}: ${problem.problem}` : status).toBe(meaning);
});
