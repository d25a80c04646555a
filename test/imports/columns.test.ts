import { expect, test } from 'vitest';
import { type Columns, recognizeColumns } from '../../src/imports/columns.ts';
import { createRowReader, type ReadRow } from '../../src/imports/read-row.ts';
import type { TableRow } from '../../src/imports/read-table.ts';
import { createTableBudget } from '../support/table-budget.ts';

const COFFEE = { id: 'p1', name: 'Harbour Coffee' };

function createReader(columns: Columns, rows: readonly TableRow[], locale?: string) {
  const { declaredOrder: order, declaredZone: zone = 'Europe/Berlin' } = columns;
  return createRowReader({
    ...{ rows, columns, settings: { zone, order, project: COFFEE, platforms: ['X'] } },
    ...{ projects: [COFFEE], now: new Date('2026-11-20T10:15:00Z'), maySchedule: () => true },
    locale,
  });
}

/** Reads rows of cells below the names of columns, both separated by commas. */
async function readRows(names: string, ...lines: readonly string[]) {
  const columns = await recognizeColumns(names.split(','), [], createTableBudget());
  if (!columns) throw new Error('no columns');
  const rows = lines.map((line, index) => ({ number: index + 2, cells: line.split(',') }));
  return { columns, read: rows.map(createReader(columns, rows)) };
}

/** The time of a row, or its problem. */
const summarizeTime = ({ post, problems }: ReadRow) =>
  problems[0]?.problem ?? post.moment?.instant.toISOString().slice(0, 16);

test('the links of a cell are told apart in a time that grows with its length', async () => {
  const cell = `${' '.repeat(200_000)}x.jpg HTTPS://example.com/a.jpg;https://example.com/b.jpg`;
  const { read } = await readRows('Time,Text,Media', `2026-12-01 09:00,A,${cell}`);
  expect(read.map(({ post, notes }) => [post.media, notes])).toEqual([
    ['x.jpg', ['Only the first media link is imported.']],
  ]);
});

test.each([
  ['Post #,Image #1,Image #2,Time,Text', '1,https://example.com/a.jpg,,2026-12-08 17:30,A'],
  ['Media URL #1,Time,Platform #1,Text', 'https://example.com/a.jpg,2026-12-08 17:30,X,A'],
  ['Tweet #1,Time,Row #,Image', 'A,2026-12-08 17:30,3,https://example.com/a.jpg'],
])('numbered columns are known: %s', async (names, line) => {
  const { columns, read } = await readRows(names, line);
  expect(columns.unused).toEqual(names.startsWith('Post #') ? ['Post #'] : []);
  expect(read.map(({ post: { text, media, platforms } }) => [text, media, platforms])).toEqual([
    ['A', 'https://example.com/a.jpg', ['X']],
  ]);
});

test.each([
  ...['Creative', 'Visuals', 'Graphic', 'Foto', 'Vidéo', 'Image file', 'File name', 'Bilddatei'],
  ...['Visuel', 'Bild/Video', 'Photo or video', 'Picture file names', 'Lien image', 'Foto-URL'],
])('a column “%s” is for pictures', async (name) => {
  const { columns, read } = await readRows(
    `Time,Text,${name}`,
    '2026-12-08 17:30,A,https://example.com/a.jpg',
  );
  expect(columns.unused).toEqual([]);
  expect(read.map(({ post }) => post.media)).toEqual(['https://example.com/a.jpg']);
});

test.each([
  [['Photo of the team', 'TBD', 'Team_photo_v2.jpg'], []],
  [['wall.jpg', '', 'roof.PNG'], ['Visual']],
  [['https://example.com/a.jpg', 'TBD'], ['Visual']],
  [['wall.jpg', '-', 'roof.PNG', 'n/a', 'TBD'], ['Visual']],
])('a column “Visual” with %j is for pictures only if they are its cells', async (cells, media) => {
  const columns = await recognizeColumns(
    ['Text', 'Visual'],
    cells.map((cell) => ['A', cell]),
    createTableBudget(),
  );
  expect(columns?.media.map(({ name }) => name)).toEqual(media);
  expect(columns?.unused).toEqual(media.length === 0 ? ['Visual'] : []);
});

test.each([
  ['Content,Caption', 'Teaser,A new roast', 'Content'],
  ['Caption,Content', 'A new roast,Teaser', 'Content'],
  ['Post,Copy', 'Second,A new roast', 'Post'],
  ['Text,Message', 'A new roast,Teaser', 'Message'],
])('of the columns %s the one with the words of the post is its text', async (names, cells, unused) => {
  const { columns, read } = await readRows(`Time,${names}`, `2026-12-08 17:30,${cells}`);
  expect(read.map(({ post }) => post.text)).toEqual(['A new roast']);
  expect(columns.unused).toEqual([unused]);
});

test.each([
  'Veröffentlichungsdatum,Uhrzeit,Kanäle,Beitragstext',
  'Date de publication,Heure de publication,Réseaux sociaux,Légende',
  'Fecha de publicación,Hora de publicación,Redes sociales,Texto',
])('the columns %s are known', async (names) => {
  const { columns, read } = await readRows(names, '2026-12-08,17:30,LinkedIn,A');
  expect(columns.unused).toEqual([]);
  expect(read.map(summarizeTime)).toEqual(['2026-12-08T16:30']);
});

test.each(['1.12.26', '01.12.26', '1.12.'])('“%s” is a date, not a time of day', async (cell) => {
  const { read } = await readRows('Date,Text', `${cell},A`);
  expect(read.map(summarizeTime)).toEqual(['2026-12-01T08:00']);
});

test('a date without a year that may be a time of day is named with its meanings', async () => {
  const { read } = await readRows('Date,Text', '01.12,A');
  expect(read.map(summarizeTime)).toEqual([expect.stringContaining('“01.12” can be ')]);
});

test.each([
  ['Date (UK),Time (CET)', '08/12/2026,17:30', 'Europe/Berlin', '2026-12-08T16:30'],
  ['Date (UK)', '08/12/2026 17:30', undefined, '2026-12-08T16:30'],
  ['Date (US)', '12/08/2026 17:30', undefined, '2026-12-08T16:30'],
  ['Datum (TT/MM/JJJJ)', '08/12/2026 17:30', undefined, '2026-12-08T16:30'],
  ['Date UK', '08/12/2026 17:30', undefined, '2026-12-08T16:30'],
  ['Date (Germany),Time', '08/12/2026,17:30', undefined, '2026-12-08T16:30'],
  ['Date (UK),Time (UK)', '08/12/2026,16:30', 'Europe/London', '2026-12-08T16:30'],
  ['Date (London),Time', '2026-12-08,17:30', 'Europe/London', '2026-12-08T17:30'],
])('a country beside “Date” is the order of day and month: %s', async (names, line, zone, time) => {
  const { columns, read } = await readRows(`${names},Text`, `${line},A`);
  expect(columns.declaredZone).toBe(zone);
  expect(read.map(summarizeTime)).toEqual([time]);
});

test('a country beside “Time” is its zone, and leaves the order of dates open', async () => {
  const { columns } = await readRows('Date,Time (Germany),Text', '05/12/2026,17:30,A');
  expect([columns.declaredZone, columns.declaredOrder]).toEqual(['Europe/Berlin', undefined]);
});

test.each([
  ['Date,Publish Date', '2026-11-25 09:00,2026-12-08 17:30', ['Date']],
  ['Date,Scheduled Date', '2026-11-25 09:00,2026-12-08 17:30', ['Date']],
  ['Due Date,Publish Date,Publish Time', '2026-12-01,2026-12-08,17:30', ['Due Date']],
  ['Due,Publish Date', '2026-12-01 09:00,2026-12-08 17:30', ['Due']],
  ['Date,Time,Scheduled at', '2026-11-25,09:00,2026-12-08 17:30', []],
  ['Date,Time,Posting Time', '2026-11-25,09:00,2026-12-08 17:30', ['Time']],
  ['Time,Publish Time,Date', '09:00,17:30,2026-12-08', ['Time']],
  ['Tag,Posting Time', 'London,2026-12-08 17:30', ['Tag']],
  ['Tag,Uhrzeit', '2026-12-08,17:30', []],
])('the column named after publishing is the time: %s', async (names, line, unused) => {
  const { columns, read } = await readRows(`${names},Text`, `${line},A`);
  expect(columns.unused).toEqual(unused);
  expect(read.map(summarizeTime)).toEqual(['2026-12-08T16:30']);
});

test.each([
  ['Date,Scheduled at', '2026-11-20,2026-12-08 17:30'],
  ['Date,Scheduled at', '08/12/2026,2026-12-08 17:30'],
  ['Date,Scheduled at', '2026-12-01,8 Dec 2026 5:30 PM'],
  ['Date,Publish at', '46364,46364.729166666'],
  ['Date and time,Time', '2026-12-08 17:30,17:30'],
  ['Publish Date,Time', '2026-12-08T16:30:00Z,16:30'],
  ['Day,Posting Time', '3,2026-12-08 17:30'],
  ['Day,Posting Time', 'Monday,2026-12-08 17:30'],
  ['Date,Time,Publish at', ',,2026-12-08 17:30'],
  ['Date,Time,Publish at', '2026-12-08,17:30,'],
  ['Date,Time,Publish on', '2026-11-25,17:30,2026-12-08'],
])('a cell with a whole time isn’t joined with another: %s, %s', async (names, line) => {
  const { read } = await readRows(`${names},Text`, `${line},A`);
  expect(read.map(summarizeTime)).toEqual(['2026-12-08T16:30']);
});

test.each([
  ['Date,Time,AM/PM', '2026-12-08,5:30,PM'],
  ['When,am/pm', '2026-12-08 5:30,p.m.'],
  ['Start date,Start time,AM/PM', '2026-12-08,17:30,'],
])('the half of the day may have a column: %s', async (names, line) => {
  const { columns, read } = await readRows(`${names},Text`, `${line},A`);
  expect(columns.unused).toEqual([]);
  expect(read.map(summarizeTime)).toEqual(['2026-12-08T16:30']);
});

test('contradicting cells are refused', async () => {
  const { read } = await readRows('Publish Date,Time,Text', '2026-12-08 17:30,09:00,A');
  expect(read.map(summarizeTime)).toEqual([expect.stringContaining('more than one time')]);
  const { read: yes } = await readRows('Date,Publish,Text', '2026-12-08 17:30,London,A');
  expect(yes.map(summarizeTime)).toEqual([expect.stringContaining('London')]);
});

test.each([
  ...[
    ...['noon', '17:30 CET', '5 PM ET', '17:30Z', '18 h 30', '18 h', '18時30分', 'um 18 Uhr', 'at 6pm'],
    'à 18h',
  ],
  ...['T17:30', 'evening', '1830', '18 hrs', '17.30', '17:30'],
])('“%s” without a date isn’t read as today', async (time) => {
  const { read } = await readRows('Date,Time,Text', `,${time},A`);
  expect(read.map(summarizeTime)).toEqual([`“${time}” has no date. Write it like 2026-12-01 09:00.`]);
});

test.each([
  ...['tomorrow 9am', 'today 18:00', 'heute 18 Uhr', 'ce soir', 'in 2 hours', 'tonight', '20 Nov 17:00'],
])('“%s” names its day', async (time) => {
  const { read } = await readRows('Time,Text', `${time},A`);
  expect(read.map(summarizeTime)).toEqual([expect.stringMatching(/^2026-11-2[01]T/)]);
});

test('an abbreviated zone is the same in a cell as in the name of a column', async () => {
  const { read } = await readRows(
    'Time,Time zone,Text',
    '2027-07-01 09:00,EST,A',
    '2027-07-01 09:00,Etc/UTC,B',
  );
  expect(read.map(({ post }) => post.moment?.zone)).toEqual(['America/New_York', 'Etc/UTC']);
});

test.each([
  ['https://linkedin.com/company/acme', ['https://linkedin.com/company/acme'], []],
  ['N/A', ['N/A'], []],
  ['X, Foo; Bar', ['Foo, Bar'], ['X']],
  ['X AND LinkedIn', [], ['X', 'LINKEDIN']],
  ['ツイッターとフェイスブック', [], ['X', 'FACEBOOK']],
  ['Ｘ／LinkedIn', [], ['X', 'LINKEDIN']],
])('the platforms of “%s” have at most one problem', async (cell, values, platforms) => {
  const columns = await recognizeColumns(['Time', 'Platforms', 'Text'], [], createTableBudget());
  if (!columns) throw new Error('no columns');
  const row = { number: 2, cells: ['2026-12-01 09:00', cell, 'A'] };
  const read = createReader(columns, [row])(row);
  expect(read.problems.map(({ value }) => value)).toEqual(values);
  expect(read.post.platforms).toEqual(platforms);
});

test.each([
  ['Programmé', false],
  ['agendado', false],
  ['Ingepland', false],
  ['予約済み', false],
  ['Final', false],
  ['Vero\u0308ffentlicht', true],
  ['publicado', true],
  ['Publiée', true],
  ['To-do', false],
  ['In  Progress', false],
  ['In review', false],
])('the status “%s” is known', async (status, isSkipped) => {
  const { read } = await readRows('Time,Status,Text', `2026-12-08 17:30,${status},A`);
  expect(read.map((row) => [row.isSkipped, row.problems])).toEqual([[isSkipped, []]]);
});

test.each([
  ...['Done', 'Completed', 'Finished', 'Erledigt', 'Abgeschlossen', 'Terminé', 'Completato', 'Concluído'],
  ...['Afgerond', '完了', 'pronto'],
])('a post with the status “%s” may have gone out, so nobody schedules it', async (status) => {
  const { read } = await readRows('Time,Status,Text', `12 Jan 9:00,${status},Old`);
  expect(read.map(({ problems }) => problems.map(({ part }) => part))).toEqual([['status']]);
});

test.each([
  ['it-IT', []],
  ['pt-BR', []],
  ['es-ES', ['status']],
])('in the language %s, the status “pronto” has the problems %j', async (locale, parts) => {
  const { columns } = await readRows('Time,Status,Text');
  const row = { number: 2, cells: ['2026-12-08 17:30', 'Pronto', 'A'] };
  expect(createReader(columns, [row], locale)(row).problems.map(({ part }) => part)).toEqual(parts);
});
