import { describe, expect, test } from 'vitest';
import { composePost } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows } from '../../src/imports/check-rows.ts';
import { recognizeColumns } from '../../src/imports/columns.ts';
import { MAX_FILE_BYTES, MAX_ROWS, readTable } from '../../src/imports/read-table.ts';
import { findDateOrder, joinDateAndClock, readTime, type TimeSettings } from '../../src/imports/read-time.ts';
import { withStepBudget } from '../../src/when/when.ts';
import { readOwnTime } from '../support/busyness.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const readCells = async (bytes: Uint8Array) => {
  const table = await readTable(bytes);
  if (table.kind === 'refused') throw new Error(table.reason);
  return table.rows.map(({ number, cells }) => [number, ...cells]);
};
const readReason = async (bytes: Uint8Array) => {
  const table = await readTable(bytes);
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

const COFFEE = { id: 'p1', name: 'Harbour Coffee' };

async function check(times: readonly string[]) {
  const text = ['Time,Text', ...times.map((time, index) => `${time},Post ${index}`)].join('\n');
  const table = await readTable(new TextEncoder().encode(text));
  if (table.kind === 'refused') throw new Error(table.reason);
  const columns = recognizeColumns(table.rows[0]?.cells ?? []);
  if (!columns) throw new Error('no columns');
  return checkRows({
    ...{ rows: table.rows.slice(1), columns, projects: [COFFEE], now: new Date('2026-11-20T10:15:00Z') },
    settings: { zone: 'Europe/Berlin', project: COFFEE, platforms: ['LINKEDIN'] },
    maySchedule: () => true,
    compose: composePost,
    describeRequest: (content) => content,
  });
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
