import { describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES, MAX_ROWS, readTable } from '../../src/imports/read-table.ts';
import { createTableBudget } from '../support/table-budget.ts';

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
