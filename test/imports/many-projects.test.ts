import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listProjectsWithoutZone } from '../../src/imports/check-rows.ts';
import { recognizeColumns } from '../../src/imports/columns.ts';
import { warmUpDateParser } from '../../src/when/when.ts';
import { createTableBudget } from '../support/table-budget.ts';

const PROJECT_COUNT = 300;

test('other requests go on while the rows of many projects are read', async () => {
  await warmUpDateParser();
  const projects = Array.from({ length: PROJECT_COUNT }, (_, index) => ({
    id: `p${index}`,
    name: `Café ${index}`,
  }));
  const columns = await recognizeColumns(['Time', 'Platforms', 'Project', 'Text'], [], createTableBudget());
  if (!columns) throw new Error('no columns');
  const rows = projects.map(({ name }, index) => ({
    number: index + 2,
    // Equal times are read once.
    cells: [`Tue 1 December 2026 at 9:${10 + (index % 50)}pm`, 'X', name, 'Hello'],
  }));
  let turnCount = 0;
  let isOver = false;
  const countTurns = async () => {
    for (; !isOver; turnCount += 1) await nextTurn();
  };
  const counting = countTurns();
  const now = new Date('2026-11-20T10:15:00Z');
  const found = await listProjectsWithoutZone(
    {
      ...{ rows, columns, projects, now, settings: {} },
      findZone: () => undefined,
    },
    createTableBudget(),
  );
  isOver = true;
  await counting;
  expect(found).toHaveLength(PROJECT_COUNT);
  expect(turnCount).toBeGreaterThan(3);
});
