import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPGliteSession } from '../../../src/store/pglite/pglite-session.ts';
import type { Session } from '../../../src/store/pglite/session.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';

let folder: string;
let session: Session;

beforeEach(async () => {
  folder = await createDatabaseFolder();
  session = await openPGliteSession(join(folder, 'cluster'));
});

afterEach(async () => {
  await session.close();
  await rm(folder, { recursive: true });
});

test('a statement outside an open transaction waits until the transaction ends', async () => {
  await session.query('create table step (name text)', []);
  const insert = (name: string, transaction?: number) =>
    session.query('insert into step values ($1)', [name], transaction);
  await session.begin(1);
  const outside = insert('outside');
  await insert('inside', 1);
  await session.rollback(1);
  await outside;
  expect((await session.query('select name from step', [])).rows).toEqual([{ name: 'outside' }]);
});

test('simultaneous statements of a transaction don’t get each other’s results', async () => {
  await session.begin(1);
  const texts = [
    'show server_encoding',
    'show is_superuser',
    'select 1 as a',
    'select 2 as b',
    'select 1 as a',
  ];
  const results = await Promise.all(texts.map((text) => session.query(text, [], 1)));
  await session.commit(1);
  expect(results.map(({ rows }) => rows)).toEqual([
    [{ server_encoding: 'UTF8' }],
    [{ is_superuser: 'on' }],
    [{ a: 1 }],
    [{ b: 2 }],
    [{ a: 1 }],
  ]);
});
