import { composePost, postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows, findOpenQuestions } from '../../src/imports/check-rows.ts';
import { openTable } from '../../src/imports/open-table.ts';
import { readTable } from '../../src/imports/read-table.ts';
import { renderProblem } from '../../src/imports/result-files.ts';
import { placeColumns } from '../../src/imports/target-columns.ts';
import { createTableBudget } from './table-budget.ts';

const PROJECT = { id: 'p1', name: 'Harbour Coffee' };

/**
 * Checks a file as an import does, without storing it. Resolves with why it is refused, or with its rows: the outcome and,
 * of faulty ones, the problems as people read them.
 */
export async function importTable(bytes: Uint8Array, budget = createTableBudget()) {
  const read = await readTable(bytes, budget);
  if (read.kind === 'refused') return { refusal: read.reason, rows: [], checked: [] };
  const opened = await openTable(read.rows, budget);
  if (!opened) return { refusal: 'no columns', rows: [], checked: [] };
  const placed = await placeColumns({ ...opened, settings: {}, projects: [PROJECT] }, budget);
  const table = { ...opened, columns: placed.columns };
  const input = {
    ...table,
    ...{ projects: [PROJECT], now: new Date('2026-11-20T10:15:00Z'), locale: 'en-US' },
    findZone: () => 'Europe/Berlin',
  };
  await findOpenQuestions({ ...input, settings: {} }, budget);
  const checking = {
    ...input,
    settings: { zone: 'Europe/Berlin', project: PROJECT, platforms: ['X'] },
    maySchedule: () => true,
    compose: composePost,
    describeRequest: (content: unknown) => postSubmission.post.describeRequest(content as never),
  };
  const checked = await checkRows(checking, budget);
  const rows = checked.map(({ outcome, problems }) => [outcome, ...problems.map(renderProblem)].join(' · '));
  return { refusal: undefined, rows, checked };
}
