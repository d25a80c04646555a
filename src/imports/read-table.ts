import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { countKnownNames } from './columns.ts';

/** The limits of one import. People read them before they choose a file. */
export const [MAX_FILE_BYTES, MAX_ROWS] = [10 * 1024 * 1024, 5_000];

export const LIMITS_TEXT = '5,000 rows and 10 MB';

export interface TableRow {
  /** The number that a spreadsheet shows beside it, from 1. */
  number: number;
  cells: readonly string[];
}

/** A table that was read from a file. The first row may have the names of the columns. */
type ReadTable = { kind: 'read'; rows: readonly TableRow[] } | { kind: 'refused'; reason: string };

/**
 * Reads a table from a file: UTF-8, UTF-16 or Windows-1252, with commas, semicolons, tabs or bars. Rows without any text
 * are left out, and count in the numbers of the others. `reason`: what to do about a file that can't be read.
 */
export async function readTable(bytes: Uint8Array): Promise<ReadTable> {
  if (bytes.byteLength > MAX_FILE_BYTES) return refuse(TOO_LARGE);
  const text = decodeText(bytes);
  if (text === undefined) return refuse(NO_TEXT);
  const { content, delimiter } = findDelimiter(text);
  const rows: TableRow[] = [];
  let number = 0;
  try {
    for await (const cells of parseRows(content, delimiter)) {
      number += 1;
      const text = cells.join('').trim();
      const isLine = rows.length === 1 && text.includes('-') && !/[^\s:-]/.test(text);
      if (text !== '' && !isLine) rows.push({ number, cells });
      // One more for the names of the columns.
      if (rows.length > MAX_ROWS + 1) return refuse(TOO_MANY);
    }
  } catch (error) {
    if (error instanceof CsvError) return refuse(describeCsvError(error, number + 1));
    throw error;
  }
  return rows.length === 0 ? refuse('There are no rows.') : { kind: 'read', rows };
}

const TOO_LARGE = `This file is larger than 10 MB. I can read ${LIMITS_TEXT}: split it into several files.`;
const TOO_MANY = `This file has more than 5,000 rows. I can read ${LIMITS_TEXT}: split it into several files.`;
const NO_TEXT =
  'This isn’t a CSV file. In your spreadsheet, choose File, Save as or Download, and then CSV (UTF-8).';

function refuse(reason: string): ReadTable {
  return { kind: 'refused', reason };
}

const UTF_8_MARK = [0xef, 0xbb, 0xbf];

/** Decodes a text file. Undefined for other files, such as a workbook, which is a ZIP archive. */
function decodeText(bytes: Uint8Array): string | undefined {
  const startsWith = (...mark: number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) return undefined;
  const encoding = startsWith(...UTF_8_MARK) ? 'utf-8' : findUtf16(bytes);
  const text = decode(bytes, encoding ?? 'utf-8') ?? decode(bytes, 'windows-1252');
  return text?.includes('\0') ? undefined : text;
}

/** Which UTF-16 the file is in: by its mark, or because the bytes of Latin letters alternate with zeros. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 64);
  const countZeros = (parity: number) =>
    start.filter((byte, index) => index % 2 === parity && byte === 0).length;
  const minCount = start.length / 4;
  if (start.length < 4 || countZeros(0) + countZeros(1) < minCount) return undefined;
  return countZeros(1) > countZeros(0) ? 'utf-16le' : 'utf-16be';
}

/** Decodes bytes without their byte order mark. Undefined if they aren't in this encoding. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What separates cells, the most frequent first. */
export const DELIMITERS = [',', ';', '\t', '|'];

/** Length of the beginning of a file in which the delimiter is found, in UTF-16 units. */
const SAMPLE_LENGTH = 20_000;

/**
 * Finds the delimiter: the one that Excel names in a first line `sep=;`, or else the one with which the first row has the
 * most known names of columns, or the most cells.
 */
function findDelimiter(text: string): { content: string; delimiter: string } {
  const [line, named] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  if (line !== undefined && named !== undefined)
    return { content: text.slice(line.length), delimiter: named };
  const [best = ','] = DELIMITERS.map((delimiter) => {
    const cells = splitFirstRow(text.slice(0, SAMPLE_LENGTH), delimiter);
    return { delimiter, known: countKnownNames(cells), count: cells.length };
  })
    .sort((one, other) => other.known - one.known || other.count - one.count)
    .map(({ delimiter }) => delimiter);
  return { content: text, delimiter: best };
}

function splitFirstRow(text: string, delimiter: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\r\n]/.test(character)) break;
    else if (!isQuoted && character === delimiter) cells.push('');
    else cells.push(`${cells.pop()}${character}`);
  }
  return cells;
}

/** Bytes that are parsed at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Yields the file in parts, between which other requests get their turn. */
async function* splitBytes(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
    await nextTurn();
  }
}

function parseRows(text: string, delimiter: string): AsyncIterable<readonly string[]> {
  const options: Options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    // People write quotes within a cell, such as 5" screens.
    relax_quotes: true,
    relax_column_count: true,
  };
  return Readable.from(splitBytes(Buffer.from(text))).pipe(parse(options));
}

function describeCsvError({ code }: CsvError, row: number): string {
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? `A quotation mark in or after row ${row} is never closed. Close it, or write it twice: "".`
    : `I couldn’t read row ${row}. Save the rows from your spreadsheet again as CSV (UTF-8).`;
}
