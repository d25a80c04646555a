import { describe, expect, test } from 'vitest';
import { composePost, postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { checkRows, findOpenQuestions } from '../../src/imports/check-rows.ts';
import type { ImportSettings } from '../../src/imports/import-settings.ts';
import { openTable } from '../../src/imports/open-table.ts';
import { readTable } from '../../src/imports/read-table.ts';
import { renderProblem } from '../../src/imports/result-files.ts';
import { placeColumns } from '../../src/imports/target-columns.ts';
import { createTableBudget } from '../support/table-budget.ts';

const NOW = new Date('2026-11-20T10:15:00Z');
const COFFEE = { id: 'p1', name: 'Harbour Coffee' };
const BIKES = { id: 'p2', name: 'Bikes & Co' };

/** Checks a file as an import does: where each row goes, or what is asked before. */
async function check(
  lines: readonly string[],
  settings: ImportSettings = { project: COFFEE, platforms: ['X'] },
) {
  const budget = createTableBudget();
  const read = await readTable(Buffer.from(lines.join('\n')), budget);
  const table = read.kind === 'read' ? await openTable(read.rows, budget) : undefined;
  if (!table) throw new Error('no table');
  const projects = [COFFEE, BIKES];
  const { columns, question } = await placeColumns({ ...table, settings, projects }, budget);
  const input = { ...table, columns, settings, projects, now: NOW, findZone: () => 'UTC' };
  const checked = await checkRows(
    {
      ...input,
      maySchedule: () => true,
      compose: composePost,
      describeRequest: (content) => postSubmission.post.describeRequest(content as never),
    },
    budget,
  );
  return {
    columns,
    question: question && `${question.column.name}, ${question.use}: ${question.values.join(', ')}`,
    questions: await findOpenQuestions(input, budget),
    rows: checked.map(({ post, problems, notes }) =>
      [`${post.project.name} → ${post.platforms.join(' ')}`, ...problems.map(renderProblem), ...notes].join(
        ' | ',
      ),
    ),
    times: checked.map(({ post }) => post.moment?.instant.toISOString().slice(0, 16)),
  };
}

const CUSTOMERS = [
  ...[
    'Client',
    'Customer',
    'Brand',
    'Client name',
    'Brand/Client',
    'Kunde',
    'Marke',
    'Kundin (Name)',
    'Firma',
  ],
  ...['Marque', 'Nom du client', 'Cliente', 'Marca', 'Azienda', 'Nome do cliente', 'Klant', 'Merk'],
  ...['クライアント', 'ブランド名', 'Client account', 'Kunde / Projekt'],
];

describe('a column of customers', () => {
  test.each(CUSTOMERS)('“%s” is asked about before one project gets all rows', async (name) => {
    const lines = [`${name},When,Text`, 'Alpha,2026-12-01 09:00,A', 'Beta,2026-12-02 09:00,B'];
    expect(await check(lines)).toMatchObject({ question: `${name}, project: Alpha, Beta` });
  });

  test('says the project if its cells are projects', async () => {
    const lines = ['Kunde,When,Text', 'Bikes & Co,2026-12-01 09:00,A', 'harbour coffee,2026-12-02 09:00,B'];
    expect(await check(lines)).toMatchObject({
      question: undefined,
      rows: ['Bikes & Co → X', 'Harbour Coffee → X'],
    });
    expect((await check(lines, {})).questions.project).toBe(false);
  });

  test('counts where the column of projects is empty', async () => {
    const lines = [
      'Project,Client,When,Text',
      'Harbour Coffee,,2026-12-01 09:00,A',
      ',Bikes & Co,2026-12-02 09:00,B',
      'Harbour Coffee,Bikes & Co,2026-12-03 09:00,C',
    ];
    expect((await check(lines)).rows).toEqual([
      'Harbour Coffee → X',
      'Bikes & Co → X',
      'Harbour Coffee / Bikes & Co → X | Project “Harbour Coffee / Bikes & Co”: The row’s columns name different projects. Write one.',
    ]);
  });

  test('is read, or left out, as people have answered', async () => {
    const lines = ['Client,When,Text', 'Alpha,2026-12-01 09:00,A', 'Bikes & Co,2026-12-02 09:00,B'];
    const used = await check(lines, { project: COFFEE, platforms: ['X'], columns: { 0: 'project' } });
    expect(used).toMatchObject({ question: undefined });
    expect(used.rows).toEqual([expect.stringContaining('I don’t know this project'), 'Bikes & Co → X']);
    const left = await check(lines, { project: COFFEE, platforms: ['X'], columns: { 0: 'nothing' } });
    expect(left).toMatchObject({ question: undefined, rows: ['Harbour Coffee → X', 'Harbour Coffee → X'] });
    expect(left.columns.unused).toEqual(['Client']);
  });
});

describe('a column with an unknown name', () => {
  test.each([
    ['Wohin', 'Bikes & Co', 'Harbour Coffee', 'project'],
    ['Ziel', 'LinkedIn, X', 'Instagram', 'platforms'],
    ['Where', 'Facebook Page', 'FB', 'platforms'],
  ])('“%s” with %s and %s is asked about', async (name, one, other, use) => {
    const lines = [`${name},When,Text`, `"${one}",2026-12-01 09:00,A`, `${other},2026-12-02 09:00,B`];
    expect(await check(lines)).toMatchObject({ question: `${name}, ${use}: ${one}, ${other}` });
  });

  test.each([
    ['Approved', 'x', 'x'],
    ['Topic', 'Bikes & Co', 'Autumn'],
    ['Notes', '', ''],
    ['Owner', 'Ana', 'Ben'],
  ])('“%s” with “%s” and “%s” isn’t', async (name, one, other) => {
    const lines = [`${name},When,Text`, `${one},2026-12-01 09:00,A`, `${other},2026-12-02 09:00,B`];
    expect(await check(lines)).toMatchObject({ question: undefined });
  });
});

test('accounts beside the platforms are asked about, and never left out', async () => {
  const lines = ['Account,Platform,When,Text', 'alpha,X,2026-12-01 09:00,A', 'beta,X,2026-12-02 09:00,B'];
  expect((await check(lines)).question).toBe('Account, project: alpha, beta');
});

test('a platform with its account is known, and several accounts of one need their projects', async () => {
  const lines = [
    'Channel,When,Text',
    'harbourcoffee (X),2026-12-01 09:00,A',
    'LinkedIn: @hc,2026-12-02 09:00,B',
  ];
  expect((await check(lines)).rows).toEqual(['Harbour Coffee → X', 'Harbour Coffee → LINKEDIN']);
  const several = ['Channel,When,Text', 'alpha (X),2026-12-01 09:00,A', 'beta (X),2026-12-02 09:00,B'];
  for (const row of (await check(several)).rows) expect(row).toContain('several accounts of a platform');
});

test('a mark for a platform that isn’t known is a problem of its row', async () => {
  const lines = [
    'When,Text,X,Bluesky,Hive,LinkedIn,Approved',
    '2026-12-01 09:00,A,x,x,,x,x',
    '2026-12-02 09:00,B,x,,yes,x,x',
    '2026-12-03 09:00,C,x,,,x,x',
  ];
  expect((await check(lines)).rows).toEqual([
    'Harbour Coffee → X LINKEDIN | Bluesky “x”: I can’t post to Bluesky. Clear this cell, and post there yourself.',
    'Harbour Coffee → X LINKEDIN | Hive “yes”: I can’t post to Hive. Clear this cell, and post there yourself.',
    'Harbour Coffee → X LINKEDIN',
  ]);
});

test('the platforms that were chosen for all rows aren’t those of a row that says no to each', async () => {
  const lines = ['When,Text,X,LinkedIn', '2026-12-01 09:00,A,no,no', '2026-12-02 09:00,B,,'];
  expect((await check(lines)).rows).toEqual([
    expect.stringContaining('There’s no platform.'),
    'Harbour Coffee → X',
  ]);
});

test('of two columns with dates the filled one counts, cell by cell', async () => {
  const lines = [
    'Date,Publish date,Time,Text',
    '2026-12-01,2026-12-11,09:00,A',
    '2026-12-02,,09:00,B',
    ',2026-12-13,09:00,C',
  ];
  const { rows, times, columns } = await check(lines);
  expect(times).toEqual(['2026-12-11T09:00', '2026-12-02T09:00', '2026-12-13T09:00']);
  expect(rows[1]).toBe('Harbour Coffee → X | “Publish date” is empty, so “Date” counts.');
  expect(columns.unused).toEqual([]);
  // A deadline isn't the time of the post.
  const due = ['Due date,Publish date,Time,Text', '2026-12-02,,09:00,B'];
  expect((await check(due)).times).toEqual([undefined]);
});
