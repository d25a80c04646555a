import { beforeAll, describe, expect, test } from 'vitest';
import { BudgetExceeded, createBudget } from '../../src/budget.ts';
import { openTable } from '../../src/imports/open-table.ts';
import { readTable, TOO_MUCH } from '../../src/imports/read-table.ts';
import { buildCorrections } from '../../src/imports/result-files.ts';
import { warmUpDateParser } from '../../src/when/when.ts';
import { importTable } from '../support/import-table.ts';
import { createTableBudget } from '../support/table-budget.ts';
import { WORST_TABLES } from './worst-tables.ts';

const encode = (...lines: readonly string[]) => new TextEncoder().encode(lines.join('\n'));

const GOOD = '2026-12-01 09:00,A new roast';
const PADDING = 'x '.repeat(10_000);

beforeAll(warmUpDateParser);

describe('what is too much is refused with what to do, and the other rows are imported', () => {
  test.each([
    ['100,000 columns', `Text,${'media,'.repeat(100_000)}`],
    ['a million columns', `Text,${'a,'.repeat(1_000_000)}`],
  ])('%s', async (_, names) => {
    const { refusal } = await importTable(encode(names, 'A'));
    expect(refusal).toBe(
      'The first row has more than 100 columns. I can read 100: delete those that the posts don’t need.',
    );
  });

  test('a table that a spreadsheet has saved with all of its empty columns is read', async () => {
    const commas = ','.repeat(16_382);
    const { rows } = await importTable(encode(`Time,Text${commas}`, `${GOOD}${commas}`));
    expect(rows).toEqual(['good']);
  });

  test.each([
    ['Text', `2026-12-02 09:00,"${PADDING}",,`, '12,000'],
    ['Platforms', `2026-12-02 09:00,A,"${'X,'.repeat(300_000)}",`, '500'],
    ['Media', `2026-12-02 09:00,A,,"${'https://a.b/c.jpg '.repeat(50_000)}"`, '4,096'],
    ['Time', `"${PADDING}",A,,`, '300'],
  ])('a cell for “%s” that is too long', async (column, line, limit) => {
    const { rows } = await importTable(encode('Time,Text,Platforms,Media', line, `${GOOD},,`));
    expect(rows).toEqual([
      expect.stringMatching(
        new RegExp(
          `^faulty · ${column} “.*…?”: This has more than ${limit} characters, so I’ve left it out. Write a shorter one.$`,
        ),
      ),
      'good',
    ]);
  });

  test('a row with a cell that was left out is refused again until somebody has corrected it', async () => {
    const file = encode('Time,Text,Media', `2026-12-02 09:00,"${PADDING}",https://example.com/a.jpg`);
    const { checked } = await importTable(file);
    const corrections = await buildCorrections(checked, createTableBudget());
    const again = await importTable(encode(corrections));
    expect(again.rows).toEqual([expect.stringContaining('faulty · “x x x')]);
  });

  test('many names of platforms, many problems of a row, and text to the right of a hundred columns', async () => {
    const platforms = await importTable(encode('Time,Text,Platforms', `${GOOD},"${'a,'.repeat(100)}"`));
    expect(platforms.rows).toEqual([
      expect.stringContaining('This names more than 50 platforms. Write each one once.'),
    ]);
    const flags = await importTable(
      encode(`Time,Text${',Facebook'.repeat(90)}`, `${GOOD}${',perhaps'.repeat(90)}`),
    );
    expect(flags.checked[0]?.problems).toHaveLength(11);
    expect(flags.rows[0]).toMatch(/There are more problems in this row. Correct these first.$/);
    const surplus = await importTable(encode('Time,Text', `${GOOD}${','.repeat(500)}end`));
    expect(surplus.rows).toEqual([
      expect.stringContaining('“end”: The row has more cells than the first row.'),
    ]);
  });

  test('a table that exceeds its budget', async () => {
    const limits = { maxSteps: 1e9, maxOutput: 1e9, maxMs: 1e9 };
    const file = encode('Time,Text', ...Array.from({ length: 100 }, () => GOOD));
    const read = await readTable(file, createBudget({ ...limits, maxOutput: 50 }));
    expect(read).toEqual({ kind: 'refused', reason: TOO_MUCH });
    await expect(importTable(file, createBudget({ ...limits, maxSteps: 50 }))).rejects.toThrow(
      BudgetExceeded,
    );
  });
});

const readCpuMs = (before?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/** Measures the CPU time of an import on this thread, and of the longest part of it between two turns of others. */
async function measure(bytes: Uint8Array): Promise<{ cpuMs: number; longestMs: number }> {
  let longestMs = 0;
  const before = process.threadCpuUsage();
  let turnStartedAt = before;
  const endTurn = () => {
    longestMs = Math.max(longestMs, readCpuMs(turnStartedAt));
    turnStartedAt = process.threadCpuUsage();
    timer = setImmediate(endTurn);
  };
  let timer = setImmediate(endTurn);
  await importTable(bytes);
  clearImmediate(timer);
  return { cpuMs: readCpuMs(before), longestMs: Math.max(longestMs, readCpuMs(turnStartedAt)) };
}

/** What any table may take, so that only more work than fits to a file of four times the length counts. */
const MIN_MS = 40;
/** A loose limit. Without turns, most of these tables take a second or more. */
const MAX_TURN_MS = 200;

test.each(WORST_TABLES)('the work for $name grows with the file, in short turns', async ({ createBytes }) => {
  const [small, large] = [createBytes(200_000), createBytes(800_000)];
  // The first time, functions are compiled.
  await measure(small);
  const { cpuMs } = await measure(small);
  const ofLarge = await measure(large);
  expect(ofLarge.cpuMs).toBeLessThan(9 * Math.max(MIN_MS, cpuMs));
  expect(ofLarge.longestMs).toBeLessThan(MAX_TURN_MS);
});

test('columns are recognised by the beginning of their names', async () => {
  const names = { number: 1, cells: [`Text (${'('.repeat(100_000)}`, `Time (${'x'.repeat(280)})`] };
  const table = await openTable([names, { number: 2, cells: ['A', '9:00'] }], createTableBudget());
  expect([table?.columns.text?.index, table?.columns.clock?.index]).toEqual([0, 1]);
});
