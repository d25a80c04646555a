import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderLocked } from '../../../src/store/pglite/locked-database.ts';
import { pgliteMemory } from '../../../src/store/pglite/pglite-memory.ts';
import { checkpointIfDue } from '../../../src/store/pglite/pglite-session.ts';
import { openThreadedPGlite } from '../../../src/store/pglite/threaded-pglite.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';
import { openPGlite } from '../../support/open-pglite.ts';
import { startProgram } from '../../support/program.ts';

const committingProgram = new URL('./programs/commit-rows.ts', import.meta.url);
let folder: string;

beforeEach(async () => {
  folder = await createDatabaseFolder();
});

afterEach(() => rm(folder, { recursive: true }));

test('after kill -9, every row whose commit was confirmed is stored', async () => {
  const program = await startProgram(committingProgram, folder);
  const confirmedIds: string[] = [];
  while (confirmedIds.length < 300) confirmedIds.push(await program.readLine());
  confirmedIds.push(...(await program.kill()));
  const { dialect, close } = await openPGlite(folder);
  const db = new Kysely<{ committed_row: { id: number } }>({ dialect });
  const storedIds = new Set(
    (await db.selectFrom('committed_row').select('id').execute()).map(({ id }) => String(id)),
  );
  expect(confirmedIds.filter((id) => !storedIds.has(id))).toEqual([]);
  // The process may have been killed between the last commit and its confirmation.
  expect(storedIds.size - confirmedIds.length).toBeLessThanOrEqual(1);
  await close();
});

test('the error for a locked folder names the process that uses it, and that process is not affected', async () => {
  const program = await startProgram(committingProgram, folder);
  await program.readLine();
  await expect(openPGlite(folder)).rejects.toThrow(`is in use by process ${program.pid} (commit-rows.ts)`);
  await program.readLine();
  await program.kill();
});

describe.each([
  ['in this thread', openPGlite],
  ['in a separate thread', openThreadedPGlite],
])('%s', (_, open: (folder: string) => ReturnType<typeof openPGlite>) => {
  test('an open folder is locked, its data is there when it is opened again, and closed it takes no statements', async () => {
    const first = new Kysely({ dialect: (await open(folder)).dialect });
    await expect(open(folder)).rejects.toThrow(FolderLocked);
    await sql`create table committed_row as select 7 as id`.execute(first);
    await first.destroy();
    const { dialect, close } = await open(folder);
    const second = new Kysely({ dialect });
    expect((await sql`select id from committed_row`.execute(second)).rows).toEqual([{ id: 7 }]);
    await close();
    await expect(sql`select 1`.execute(second)).rejects.toThrow(/closed|ended/);
  });

  test('after a rolled-back change of a table, its rows have their old columns', async () => {
    const { dialect, close } = await open(folder);
    const db = new Kysely<{ parcel: { weight: unknown } }>({ dialect });
    const findParcel = (handle: typeof db) =>
      handle.selectFrom('parcel').selectAll().where('weight', '=', '1').execute();
    await sql`create table parcel as select 1 as weight`.execute(db);
    const transaction = db.transaction().execute(async (transaction) => {
      await sql`alter table parcel alter column weight type text`.execute(transaction);
      expect(await findParcel(transaction)).toEqual([{ weight: '1' }]);
      throw new Error('changed my mind');
    });
    await expect(transaction).rejects.toThrow('changed my mind');
    expect(await findParcel(db)).toEqual([{ weight: 1 }]);
    await close();
  });

  test('nothing is stored of a transaction that is open when the database closes, nor of its later statements', async () => {
    const setUpDatabase = await open(folder);
    await sql`create table parcel (weight integer)`.execute(new Kysely({ dialect: setUpDatabase.dialect }));
    await setUpDatabase.close();
    for (const tickCount of [0, 5, 20, 200]) {
      const { dialect, close } = await open(folder);
      const db = new Kysely<{ parcel: { weight: number } }>({ dialect });
      expect(await db.selectFrom('parcel').selectAll().execute()).toEqual([]);
      const transaction = await db.startTransaction().execute();
      await transaction.insertInto('parcel').values({ weight: 1 }).execute();
      const closing = close();
      for (let tick = 0; tick < tickCount; tick += 1) await Promise.resolve();
      const insertion = transaction.insertInto('parcel').values({ weight: 2 }).execute();
      await expect(insertion, `after ${tickCount} ticks`).rejects.toThrow();
      await closing;
    }
    const reopened = await open(folder);
    const { rows } = await sql`select * from parcel`.execute(new Kysely({ dialect: reopened.dialect }));
    expect(rows).toEqual([]);
    await reopened.close();
  });
});

test('the write-ahead log is truncated after it has grown', async () => {
  const pglite = await PGlite.create(join(folder, 'cluster'), pgliteMemory);
  const measureLogBytes = () =>
    readdirSync(join(folder, 'cluster/pg_wal'))
      .map((name) => statSync(join(folder, 'cluster/pg_wal', name)).size)
      .reduce((sum, size) => sum + size, 0);
  await pglite.query('create table big (id integer, words text)');
  for (let round = 0; round < 10; round += 1) {
    await pglite.query("insert into big select n, repeat('x', 500) from generate_series(1, 20000) as n");
  }
  const grownSize = measureLogBytes();
  expect(grownSize).toBeGreaterThan(100 * 2 ** 20);
  await checkpointIfDue(pglite);
  expect(measureLogBytes()).toBeLessThan(grownSize / 1.5);
  await pglite.close();
});
