import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_CELL_LENGTH, MAX_COLUMNS, parseRecords } from '../../src/imports/parse-records.ts';

/** Reads all records with a package for CSV, which doesn't limit them. */
function parseWithPackage(text: string): unknown {
  const options = {
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  };
  try {
    return parse(text, options);
  } catch {
    return 'unclosed';
  }
}

function parseAll(text: string): unknown {
  const records = [...parseRecords(text, ',')].filter((record) => record !== 'turn');
  return records.at(-1) === 'unclosed' ? 'unclosed' : records;
}

test('records are those of csv-parse, whatever quotation marks and ends of lines a file has', () => {
  const part = fc.constantFrom('"', '"', '""', ',', ',', ';', '\n', '\r', '\r\n', 'a', ' ', 'é', '🙂');
  const texts = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseAll(text)).toEqual(parseWithPackage(text));
    }),
    { numRuns: 5_000 },
  );
});

test('a record has one cell more than allowed if there is text, and a cell one character', () => {
  const wide = `${'a,'.repeat(5_000)}b`;
  expect([...parseRecords(wide, ',')].filter(Array.isArray).map((cells) => cells.length)).toEqual([
    MAX_COLUMNS + 1,
  ]);
  const blank = `a${','.repeat(16_383)}`;
  expect([...parseRecords(blank, ',')].filter(Array.isArray).map((cells) => cells.length)).toEqual([
    MAX_COLUMNS,
  ]);
  for (const long of ['a'.repeat(50_000), `"${'""'.repeat(50_000)}"`, `"${'a'.repeat(50_000)}"`])
    expect([...parseRecords(long, ',')].filter(Array.isArray).map(([cell]) => cell.length)).toEqual([
      MAX_CELL_LENGTH + 1,
    ]);
});

test.each(['a', ',', '\n', '"a",', 'a\r\n', '""', '"a""b"\n'])(
  'a file of “%s” has a turn for each stretch',
  (part) => {
    const text = `${part === '""' ? '"' : ''}${part.repeat(100_000)}`;
    const turns = [...parseRecords(text, ',')].filter((record) => record === 'turn');
    expect(turns.length).toBeGreaterThanOrEqual(Math.floor(text.length / 70_000));
  },
);
