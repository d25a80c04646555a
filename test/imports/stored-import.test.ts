import { expect, test } from 'vitest';
import { pressImport } from '../../src/imports/imports.ts';
import { readLeftRows, readSource, storeImport } from '../../src/imports/stored-import.ts';
import { buildRow, KEY, setUpImports } from '../support/start-imports.ts';
import { createTableBudget } from '../support/table-budget.ts';

const fixture = await setUpImports();

/** Stores an import of a table with so many rows of 1,000 characters, of which every other one needs a correction. */
async function storeTable(count: number) {
  const { context } = fixture.createImportInstance();
  const text = 'A new roast '.repeat(80);
  const rows = Array.from({ length: count }, (_, index) => {
    const row = buildRow(index + 2, text, Date.UTC(2027, 0, 1));
    return index % 2 === 0 ? row : { ...row, outcome: 'faulty' as const };
  });
  const source = {
    rows: rows.map(({ number }) => ({ number, cells: [`${number}`, text] })),
    settings: { zone: 'Europe/Berlin' },
  };
  const about = { fileName: 'posts.csv', projects: [] };
  const toStore = { workspace: 'T1', author: 'U1', source, about, rows };
  const row = await storeImport(context, toStore, createTableBudget());
  return { context, row, rows, source };
}

const listParts = (id: string) =>
  fixture.db.selectFrom('post_import_part').select('content').where('post_import', '=', id).execute();

test.each([0, 3, 1_300])(
  'a table of %s rows is stored in parts of a few milliseconds, and read whole',
  async (count) => {
    const { context, row, rows, source } = await storeTable(count);
    expect(await readSource(context, row)).toMatchObject(source);
    const left = rows.filter(({ outcome }) => outcome === 'faulty').map(({ number }) => number);
    expect((await readLeftRows(context, row)).map(({ number }) => number)).toEqual(left);
    const lengths = (await listParts(row.id)).map(({ content }) => content.length);
    expect(Math.max(...lengths)).toBeLessThan(500_000);
  },
);

test('a table that lost a part isn’t read, so that no row is left out unnoticed', async () => {
  const { context, row } = await storeTable(1_300);
  await fixture.db.deleteFrom('post_import_part').where('id', '=', `${row.id} source 2`).execute();
  expect(await readSource(context, row)).toBeUndefined();
});

test('a table that an earlier version stored as a whole is read', async () => {
  const { context, row, source } = await storeTable(3);
  const content = context.encryption.encrypt(JSON.stringify(source), 'T1');
  await fixture.db
    .updateTable('post_import_part')
    .set({ content })
    .where('id', '=', `${row.id} source 0`)
    .execute();
  expect(await readSource(context, row)).toEqual(source);
});

test('an import is found only by the person who imported the file, in their workspace', async () => {
  const { context } = fixture.createImportInstance();
  const { id } = await fixture.storeRows(context, ['One']);
  const start = { from: ['checked'], to: 'importing' } as const;
  for (const other of [
    { ...KEY, author: 'U2' },
    { ...KEY, workspace: 'T2' },
  ])
    expect(await pressImport(context, { id, ...other }, start)).toEqual({ kind: 'not-found' });
  expect((await fixture.readImport(id)).state).toBe('checked');
  expect((await pressImport(context, { id, ...KEY }, start)).kind).toBe('changed');
});
