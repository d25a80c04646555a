import { expect, test } from 'vitest';
import { composePost } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows } from '../../src/imports/check-rows.ts';
import { recognizeColumns } from '../../src/imports/columns.ts';
import { MAX_ROWS, readTable } from '../../src/imports/read-table.ts';
import { withStepBudget } from '../../src/when/when.ts';
import { readOwnTime } from '../support/busyness.ts';
import { createTableBudget } from '../support/table-budget.ts';

const COFFEE = { id: 'p1', name: 'Harbour Coffee' };

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
