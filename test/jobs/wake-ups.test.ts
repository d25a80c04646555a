import { describe, expect, test } from 'vitest';
import { splitStatements } from '../../src/jobs/split-statements.ts';
import { startWakeUps } from '../../src/jobs/wake-ups.ts';
import { openDatabase } from '../../src/store/database.ts';
import { onEveryDatabase } from '../support/databases.ts';

onEveryDatabase((create) => {
  test('wakes at the moment, and another instance on the same database too', async () => {
    const database = await create();
    const woken: number[] = [];
    const errors: unknown[] = [];
    const dbs = [];
    const instances = [];
    for (const instance of [1, 2]) {
      const db = await openDatabase<unknown>({ dialect: database.dialect(), migrations: {} });
      dbs.push(db);
      instances.push(
        await startWakeUps({
          db,
          queue: 'words',
          onWake: () => woken.push(instance),
          onError: (error) => errors.push(error),
        }),
      );
    }
    const [first, second] = instances;
    first?.at('a', new Date());
    await first?.stop();
    await expect.poll(() => woken.length, { timeout: 15_000 }).toBeGreaterThan(0);
    second?.at('b', new Date(Date.now() + 500));
    await expect
      .poll(() => woken.filter((instance) => instance === 2).length, { timeout: 15_000 })
      .toBeGreaterThan(0);
    await second?.stop();
    expect(errors).toEqual([]);
    for (const db of dbs) await db.destroy();
    await database.close();
  });
});

describe('a text of several statements', () => {
  test.each([
    ['select 1; select 2;', ['select 1', 'select 2']],
    ["select ';' ; select 'it''s;'", ["select ';'", "select 'it''s;'"]],
    [
      'create function f() as $$ begin; end; $$; select 1',
      ['create function f() as $$ begin; end; $$', 'select 1'],
    ],
    ['do $x$ $$ ; $$ $x$', ['do $x$ $$ ; $$ $x$']],
    ['-- a; comment\nselect 1 /* ; */', ['-- a; comment\nselect 1 /* ; */']],
    ['select "a;b"', ['select "a;b"']],
    [' ; ;', []],
  ])('%j is %j', (text, statements) => {
    expect(splitStatements(text)).toEqual(statements);
  });
});
