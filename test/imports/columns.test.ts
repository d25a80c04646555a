import { describe, expect, test } from 'vitest';
import { composePost } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows } from '../../src/imports/check-rows.ts';
import { type Columns, recognizeColumns } from '../../src/imports/columns.ts';
import { createRowReader, type ReadRow } from '../../src/imports/read-row.ts';
import { MAX_FILE_BYTES, MAX_ROWS, readTable, type TableRow } from '../../src/imports/read-table.ts';
import { findDateOrder, joinDateAndClock, readTime, type TimeSettings } from '../../src/imports/read-time.ts';
import { withStepBudget } from '../../src/when/when.ts';
import { readOwnTime } from '../support/busyness.ts';
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

const utf8 = (text: string) => new TextEncoder().encode(text);

const readCells = async (bytes: Uint8Array) => {
  const table = await readTable(bytes, createTableBudget());
  if (table.kind === 'refused') throw new Error(table.reason);
  return table.rows.map(({ number, cells }) => [number, ...cells]);
};

const readReason = async (bytes: Uint8Array) => {
  const table = await readTable(bytes, createTableBudget());
  return table.kind === 'refused' ? table.reason : 'read';
};

const LINES = 'Text;Date\r\nCafé ☕;1.12.2026\r\n';

const EXPECTED = [
  [1, 'Text', 'Date'],
  [2, 'Café ☕', '1.12.2026'],
];

describe('the encoding of a file', () => {
  test.each([
    ['UTF-8', utf8(LINES)],
    ['UTF-8 with a byte order mark', utf8(`\ufeff${LINES}`)],
    ['UTF-16, as Excel writes it', Buffer.from(`\ufeff${LINES}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(LINES, 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from(`\ufeff${LINES}`, 'utf16le').swap16()],
  ])('is recognised: %s', async (_name, bytes) => {
    expect(await readCells(bytes)).toEqual(EXPECTED);
  });

  test('is Windows-1252 if the file isn’t UTF-8', async () => {
    const bytes = Buffer.from('Text;Date\r\nCaf\xe9 \x80 5;1.12.2026\r\n', 'latin1');
    expect(await readCells(bytes)).toEqual([
      [1, 'Text', 'Date'],
      [2, 'Café € 5', '1.12.2026'],
    ]);
  });
});

describe('the cells of a file', () => {
  test.each([',', ';', '\t', '|'])('are separated by %j', async (delimiter) => {
    const lines = [
      ['Text', 'Date'],
      ['"One\nwith ""quotes"", ; and more"', '2026-12-01'],
    ].map((cells) => cells.join(delimiter));
    expect(await readCells(utf8(lines.join('\n')))).toEqual([
      [1, 'Text', 'Date'],
      [2, 'One\nwith "quotes", ; and more', '2026-12-01'],
    ]);
  });

  test('are separated as the first line says', async () => {
    expect(await readCells(utf8('sep=;\r\nText;Date\r\nA, B;2026-12-01'))).toEqual([
      [1, 'Text', 'Date'],
      [2, 'A, B', '2026-12-01'],
    ]);
  });

  test('may contain quotes that nobody has doubled', async () => {
    expect(await readCells(utf8('Text,Date\nA 5" screen,2026-12-01'))).toEqual([
      [1, 'Text', 'Date'],
      [2, 'A 5" screen', '2026-12-01'],
    ]);
  });

  test('of empty rows count in the numbers of the others', async () => {
    expect(await readCells(utf8('Text,Date\n\n,\nA,2026-12-01\n\n'))).toEqual([
      [1, 'Text', 'Date'],
      [4, 'A', '2026-12-01'],
    ]);
  });
});

describe('a file that can’t be read', () => {
  test('is a workbook, another file, or empty', async () => {
    expect(await readReason(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toContain('This isn’t a CSV file.');
    expect(await readReason(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2, 9, 9, 9, 9]))).toContain(
      'This isn’t',
    );
    expect(await readReason(utf8(''))).toBe('There are no rows.');
  });

  test('names the row with a quotation mark that is never closed', async () => {
    expect(await readReason(utf8('Text,Date\nA,B\n"C,D\nE,F'))).toContain(
      'in or after row 3 is never closed',
    );
  });

  test('is larger than the limits', async () => {
    const row = 'A,2026-12-01\n';
    expect(await readReason(utf8(`Text,Date\n${row.repeat(MAX_ROWS)}`))).toBe('read');
    expect(await readReason(utf8(`Text,Date\n${row.repeat(MAX_ROWS + 1)}`))).toContain(
      'more than 5,000 rows',
    );
    expect(await readReason(new Uint8Array(MAX_FILE_BYTES + 1))).toContain('larger than 10 MB');
  });
});

async function check(times: readonly string[]) {
  const text = ['Time,Text', ...times.map((time, index) => `${time},Post ${index}`)].join('\n');
  const table = await readTable(new TextEncoder().encode(text), createTableBudget());
  if (table.kind === 'refused') throw new Error(table.reason);
  const columns = await recognizeColumns(table.rows[0]?.cells ?? [], [], createTableBudget());
  if (!columns) throw new Error('no columns');
  return checkRows(
    {
      ...{ rows: table.rows.slice(1), columns, projects: [COFFEE], now: new Date('2026-11-20T10:15:00Z') },
      settings: { zone: 'Europe/Berlin', project: COFFEE, platforms: ['LINKEDIN'] },
      maySchedule: () => true,
      compose: composePost,
      describeRequest: (content) => content,
    },
    createTableBudget(),
  );
}

test('the largest file with times in words is read within one request, and others get their turn', async () => {
  const times = Array.from({ length: MAX_ROWS }, (_, index) => `in ${index + 1} hours`);
  let [longestMs, last] = [0, readOwnTime()];
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, readOwnTime() - last);
    last = readOwnTime();
  }, 1);
  const rows = await withStepBudget(() => check(times));
  clearInterval(timer);
  expect(rows.filter(({ outcome }) => outcome === 'good')).toHaveLength(MAX_ROWS);
  // A loose limit: without turns it would be many seconds.
  expect(longestMs).toBeLessThan(1_500);
});

test('words that are made to be slow end with a reason, and rows without words are still read', async () => {
  const slow = Array.from({ length: MAX_ROWS - 1 }, (_, index) =>
    `${'monday tuesday 9am and '.repeat(8)}${index}`.slice(0, 190),
  );
  const rows = await check([...slow, '2026-12-01 09:00']);
  expect(rows.at(-2)?.problems[0]?.problem).toBe(
    'There are too many times in words. Write it like 2026-12-01 09:00.',
  );
  expect(rows.at(-1)?.outcome).toBe('good');
});

const NOW = new Date('2026-11-20T10:15:00Z');

const read = (text: string, settings: Partial<TimeSettings> = {}) => {
  const reading = readTime(text, { zone: 'Europe/Berlin', now: NOW, ...settings });
  if (reading.kind === 'moment') return `${reading.instant.toISOString()} ${reading.zone}`;
  return reading.kind === 'problem' ? reading.problem : reading.kind;
};

describe('a time is read in its zone', () => {
  test.each([
    ['2026-12-01 09:00', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['2026-12-01T09:00:30', '2026-12-01T08:00:30.000Z Europe/Berlin'],
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00:00 -05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01T09:00-05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00 -0500', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026-12-01 09:00 -05:00', '2026-12-01T14:00:00.000Z Europe/Berlin'],
    ['2026/12/01 9:00 PM', '2026-12-01T20:00:00.000Z Europe/Berlin'],
    ['2026-12-01, 12 am', '2026-11-30T23:00:00.000Z Europe/Berlin'],
    ['31.12.2026 18:30', '2026-12-31T17:30:00.000Z Europe/Berlin'],
    ['1.12.26 9:00', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['12/31/2026 18:30', '2026-12-31T17:30:00.000Z Europe/Berlin'],
    ['46357.375', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['46357,375', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['tomorrow 9am', '2026-11-21T08:00:00.000Z Europe/Berlin'],
    ['1 Dec 2026 at 9am London time', '2026-12-01T09:00:00.000Z Europe/London'],
    ['Dienstag, 1. Dezember 2026, 9 Uhr', '2026-12-01T08:00:00.000Z Europe/Berlin'],
    ['Tue 12/15/2026 9am', '2026-12-15T08:00:00.000Z Europe/Berlin'],
  ])('%s', (text, expected) => {
    expect(read(text, { locale: 'en-US' })).toBe(expected);
  });

  test('03/04/2027 is asked, and then read in the order of the file', () => {
    expect(read('03/04/2027 9:00')).toBe('order');
    expect(read('03/04/2027 9:00', { order: 'day-first' })).toBe('2027-04-03T07:00:00.000Z Europe/Berlin');
    expect(read('03/04/2027 9:00', { order: 'month-first' })).toBe('2027-03-04T08:00:00.000Z Europe/Berlin');
    expect(read('03/03/2027 9:00')).toBe('2027-03-03T08:00:00.000Z Europe/Berlin');
    expect(read('Sat 3/4 9:00')).toBe('order');
    expect(read('Sat 3/4 9:00', { order: 'day-first', locale: 'en-US' })).toBe(
      '2027-04-03T07:00:00.000Z Europe/Berlin',
    );
  });

  test.each([
    ['2026-02-31 09:00', '2026-02-31 doesn’t exist. Write it like 2026-12-01 09:00.'],
    ['2026-11-19 09:00', '“2026-11-19 09:00” has passed. Write a later time.'],
    ['2027-10-31 02:30', 'The clock shows “2027-10-31 02:30” twice. Add UTC+02:00 or UTC+01:00 to it.'],
    ['soonish', 'I don’t understand “soonish”. Write it like 2026-12-01 09:00.'],
    [
      'every monday 9am',
      '“every monday 9am”: That repeats. Pick one date, such as the first. Write it like 2026-12-01 09:00.',
    ],
    [
      'mon and tue 9am',
      '“mon and tue 9am”: That’s more than one time. Pick one. Write it like 2026-12-01 09:00.',
    ],
    [
      '2026-12-01 09:00-10:00',
      '“2026-12-01 09:00-10:00”: That’s a range. Pick one time. Write it like 2026-12-01 09:00.',
    ],
    ['5 Nov 9:00', '“5 Nov 9:00” has passed this year. Write a later time, or its year too.'],
    ['13/11 9:00', '“13/11 9:00” has passed this year. Write a later time, or its year too.'],
    ['18:30', '“18:30” has no date. Write it like 2026-12-01 09:00.'],
    ['6 pm', '“6 pm” has no date. Write it like 2026-12-01 09:00.'],
    ['18 Uhr', '“18 Uhr” has no date. Write it like 2026-12-01 09:00.'],
    ['yesterday', '“yesterday” has passed. Write a later time.'],
  ])('%s is a problem', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('in January, a day of December is this year’s', () => {
    const now = new Date('2027-01-15T10:00:00Z');
    expect(read('1 Dec 9:00', { now })).toBe('2027-12-01T08:00:00.000Z Europe/Berlin');
    expect(read('Christmas 9:00', { now })).toBe('2027-12-25T08:00:00.000Z Europe/Berlin');
    expect(read('5 Jan 9:00', { now })).toContain('has passed this year');
  });

  test('a time that the clock shows twice is understood with its offset', () => {
    expect(read('2027-10-31 02:30 UTC+02:00')).toContain('2027-10-31T00:30:00.000Z');
    expect(read('2027-10-31 02:30:00 +01:00')).toContain('2027-10-31T01:30:00.000Z');
  });
});

test('a date and a time of day in two columns are joined', () => {
  expect(joinDateAndClock('2026-12-01', '9:00')).toBe('2026-12-01 9:00');
  expect(joinDateAndClock('2026-12-01 00:00:00', '9:00')).toBe('2026-12-01 9:00');
  expect(joinDateAndClock('12/1/2026 0:00', '9:00')).toBe('12/1/2026 9:00');
  expect(joinDateAndClock('12/1/2026 12:00:00 AM', '12/30/1899 9:00:00 AM')).toBe('12/1/2026 9:00:00 AM');
  expect(joinDateAndClock('2026-12-01', '1899-12-31T09:00:00')).toBe('2026-12-01 09:00:00');
  expect(joinDateAndClock('2026-12-01', '1899-12-30T09:00:00.000Z')).toBe('1899-12-30T09:00:00.000Z');
  expect(joinDateAndClock('46357', '0.375')).toBe('2026-12-01 09:00:00');
  expect(joinDateAndClock('46357', '')).toBe('2026-12-01');
  expect(joinDateAndClock('', '')).toBe('');
});

test('the order of day and month is found in the other dates of the file', () => {
  expect(findDateOrder(['03/04/2027', '13/04/2027'])).toBe('day-first');
  expect(findDateOrder(['03/04/2027', '04/13/2027'])).toBe('month-first');
  expect(findDateOrder(['03/04/2027', '03/03/2027'])).toBe('ask');
  expect(findDateOrder(['03/04/2027', '13/04/2027', '04/13/2027'])).toBe('ask');
  expect(findDateOrder(['3/4 9:00', '13/4'])).toBe('day-first');
  expect(findDateOrder(['10:00/15:00'])).toBeUndefined();
  expect(findDateOrder(['3.4.2027', '2027-04-03', 'tomorrow'])).toBeUndefined();
});
