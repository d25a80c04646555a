import { type Budget, BudgetExceeded } from '../budget.ts';
import { countKnownNames } from './columns.ts';
import { MAX_COLUMNS, parseRecords } from './parse-records.ts';

/** The limits of one import. People read them before they choose a file. */
export const [MAX_FILE_BYTES, MAX_ROWS] = [10 * 1024 * 1024, 5_000];

export const LIMITS_TEXT = '5,000 rows and 10 MB';

export interface TableRow {
  /** The number that a spreadsheet shows beside it, from 1. */
  number: number;
  cells: readonly string[];
  /** What was left out of the cells, because nothing that they can say is as long (plain text). */
  tooLong?: readonly { column: string; value: string; problem: string }[] | undefined;
}

/** A table that was read from a file. The first row may have the names of the columns. */
type ReadTable = { kind: 'read'; rows: readonly TableRow[] } | { kind: 'refused'; reason: string };

/**
 * Reads a table from a file: UTF-8, UTF-16 or Windows-1252, with commas, semicolons, tabs or bars. Rows without any text
 * are left out, and count in the numbers of the others. `reason`: what to do about a file that can't be read.
 */
export async function readTable(bytes: Uint8Array, budget: Budget): Promise<ReadTable> {
  if (bytes.byteLength > MAX_FILE_BYTES) return refuse(TOO_LARGE);
  try {
    budget.resume();
    const text = await decodeText(bytes, budget);
    return text === undefined ? refuse(NO_TEXT) : await readText(text, budget);
  } catch (error) {
    if (error instanceof BudgetExceeded) return refuse(TOO_MUCH);
    throw error;
  }
}

async function readText(text: string, budget: Budget): Promise<ReadTable> {
  const { content, delimiter } = findDelimiter(text);
  const rows: TableRow[] = [];
  let number = 0;
  for (const cells of parseRecords(content, delimiter)) {
    if (cells === 'turn') {
      await budget.giveWay();
      continue;
    }
    number += 1;
    if (cells === 'unclosed')
      return refuse(
        `A quotation mark in or after row ${number} is never closed. Close it, or write it twice: "".`,
      );
    if (cells.every((cell) => cell.trim() === '') || (rows.length === 1 && isLine(cells))) continue;
    if (rows.length === 0 && cells.length > MAX_COLUMNS) return refuse(TOO_WIDE);
    budget.produce(cells.length);
    rows.push({ number, cells });
    // One more for the names of the columns.
    if (rows.length > MAX_ROWS + 1) return refuse(TOO_MANY);
  }
  return rows.length === 0 ? refuse('There are no rows.') : { kind: 'read', rows };
}

/** Whether a row is the line that Markdown has below the names of columns. */
function isLine(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.includes('-')) && cells.every((cell) => /^[\s:-]*$/.test(cell));
}

const TOO_LARGE = `This file is larger than 10 MB. I can read ${LIMITS_TEXT}: split it into several files.`;
const TOO_MANY = `This file has more than 5,000 rows. I can read ${LIMITS_TEXT}: split it into several files.`;
const TOO_WIDE = `The first row has more than ${MAX_COLUMNS} columns. I can read ${MAX_COLUMNS}: delete those that the posts don’t need.`;
/** What people read whose table takes longer than its budget, or has too much to look at. */
export const TOO_MUCH =
  'This table has too much for me to read. Delete the columns that the posts don’t need, or split it into several files.';
export const HOW_TO_SAVE = 'In your spreadsheet, choose File, Save as or Download, and then CSV (UTF-8).';
/** What people read who send another file than a table. */
export const NO_TEXT = `This isn’t a CSV file. ${HOW_TO_SAVE}`;

function refuse(reason: string): ReadTable {
  return { kind: 'refused', reason };
}

const UTF_8_MARK = [0xef, 0xbb, 0xbf];

/** Decodes a text file. Undefined for other files, such as a workbook, which is a ZIP archive. */
async function decodeText(bytes: Uint8Array, budget: Budget): Promise<string | undefined> {
  const startsWith = (...mark: number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) return undefined;
  const encoding = startsWith(...UTF_8_MARK) ? 'utf-8' : findUtf16(bytes);
  const text =
    (await decode(bytes, encoding ?? 'utf-8', budget)) ?? (await decode(bytes, 'windows-1252', budget));
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

/** How many bytes are decoded at a time: a millisecond of work. */
const CHUNK_BYTES = 256 * 1024;

/** Decodes bytes without their byte order mark. Undefined if they aren't in this encoding. */
async function decode(bytes: Uint8Array, encoding: string, budget: Budget): Promise<string | undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts: string[] = [];
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    const end = start + CHUNK_BYTES;
    try {
      parts.push(decoder.decode(bytes.subarray(start, end), { stream: end < bytes.byteLength }));
    } catch {
      return undefined;
    }
    await budget.giveWay();
  }
  return parts.join('');
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
  const [line, named] = /^sep=([^"\ud800-\udfff])\r?\n/i.exec(text) ?? [];
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

/** Splits the first row as far as it's known, perhaps within a quoted cell. */
function splitFirstRow(text: string, delimiter: string): readonly string[] {
  for (const cells of parseRecords(text.trimStart(), delimiter)) if (typeof cells !== 'string') return cells;
  return text.split(delimiter, MAX_COLUMNS);
}
