import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { columnParsers } from '../../../src/store/column-values.ts';
import { pgliteMemory } from '../../../src/store/pglite/pglite-memory.ts';
import {
  createPreparedStatements,
  type PreparedStatements,
} from '../../../src/store/pglite/pglite-session.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';

/** Postgres may use one plan for all executions from the sixth on. */
const EXECUTIONS = 7;

let folder: string;
let pglite: PGlite;
let statements: PreparedStatements;

beforeAll(async () => {
  folder = await createDatabaseFolder();
  pglite = await PGlite.create(join(folder, 'cluster'), { ...pgliteMemory, parsers: { ...columnParsers } });
  statements = createPreparedStatements(pglite);
  await pglite.exec(`create table product (
    id integer primary key, name text not null, sold boolean, price numeric check (price > 0), tags text[])`);
});

afterAll(async () => {
  await pglite.close();
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await pglite.exec('rollback; truncate product');
});

interface Preparation {
  name: string;
  length: number;
}

/** Reads what Postgres has prepared. */
async function listPrepared(): Promise<Preparation[]> {
  const { rows } = await pglite.query<Preparation>(
    'select name, length(statement) as length from pg_prepared_statements',
  );
  return rows;
}

async function insertProduct(id: number): Promise<void> {
  await statements.run('insert into product (id, name) values ($1, $2)', [id, `product ${id}`]);
}

describe('a prepared statement returns what PGlite’s query returns', () => {
  const day = new Date('2026-12-01T08:00:00.250Z');
  test.each<[string, string, unknown[]]>([
    ['texts', 'select $1::text as value', ["it's 🎉 ünï\n\\"]],
    ['null and undefined', 'select $1::text as a, $2::jsonb as b, $3::text[] as c', [null, undefined, null]],
    ['booleans', 'select $1::boolean as a, $2::boolean as b', [true, 'no']],
    [
      'numbers',
      'select $1::int4 as a, $2::float8 as b, $3::numeric as c, $4::int8 as d',
      [-1, 1.5, '1.10', 7],
    ],
    ['a bigint', 'select $1::int8 as value', [9_007_199_254_740_991n]],
    [
      'dates',
      'select $1::timestamptz as a, $2::timestamp as b, $3::date as c, $4::text as d',
      [day, day, day, day],
    ],
    ['an interval', 'select $1::interval as value', ['1 day 02:00']],
    ['bytes', 'select $1::bytea as value', [Buffer.from([0, 255])]],
    ['json', 'select $1::jsonb as a, $2::json as b, $3::jsonb as c', [{ a: [1, null] }, '[2]', [12n]]],
    ['a uuid', 'select $1::uuid as value', ['1b4e28ba-2fa1-11d2-883f-0016d3cca427']],
    ['an array of texts', 'select $1::text[] as value', [['a', null, 'b,"c\\', '']]],
    ['an empty array', 'select $1::text[] as value', [[]]],
    [
      'nested arrays',
      'select $1::int8[] as value',
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ['an array of dates', 'select $1::timestamptz[] as value', [[day, null]]],
    ['an array of json', 'select $1::jsonb[] as value', [[{ a: 1 }, null]]],
    ['any()', 'select 2 = any($1) as a, 5 = any($1) as b', [[1, 2, 3]]],
    ['several rows', 'select n, n::text as name from generate_series($1::int, $2::int) as n', [1, 3]],
    ['no rows', 'select id, name from product where id = $1', [1]],
    ['no columns', 'select from product where id = $1', [1]],
    ['two columns of one name', 'select 1 as a, $1::int as a', [2]],
    [
      'an inserted row',
      'insert into product (id, name) values ($1, $2) on conflict do nothing returning *',
      [1, 'pen'],
    ],
    ['no updated rows', 'update product set name = $1 where id = $2', ['cup', 9]],
    [
      'a deletion in a select',
      'with gone as (delete from product returning id) select count(*) from gone',
      [],
    ],
    ['a statement that isn’t prepared', 'show server_version', []],
    ['no statement', '', []],
  ])('%s', async (_, sql, parameters) => {
    for (let execution = 0; execution < EXECUTIONS; execution += 1) {
      await pglite.exec('truncate product');
      const { rows, affectedRows = 0 } = await pglite.query(sql, parameters);
      await pglite.exec('truncate product');
      expect(await statements.run(sql, parameters)).toEqual({ rows, affectedRows });
    }
  });

  test('the number of changed rows', async () => {
    await insertProduct(1);
    await insertProduct(2);
    expect(await statements.run('update product set sold = $1', [true])).toMatchObject({ affectedRows: 2 });
    expect(await statements.run('delete from product where id = $1', [1])).toMatchObject({ affectedRows: 1 });
    expect(await statements.run('select * from product', [])).toMatchObject({ affectedRows: 0 });
  });
});

describe('an error has the fields of an error of PGlite’s query, but not the statement or its parameters', () => {
  test.each<[string, string, unknown[]]>([
    ['a duplicate key', 'insert into product (id, name) values ($1, $2)', [1, 'cup']],
    ['a missing value', 'insert into product (id, name) values ($1, $2)', [2, null]],
    ['a refused value', 'update product set price = $1', [-1]],
    ['a wrong value', 'select $1::int4', ['one']],
    ['a value of another type', 'select $1::bytea', ['one']],
    ['a division by zero', 'select 1 / $1::int4', [0]],
    ['a syntax error', 'select from from', []],
    ['a missing table', 'select * from missing', []],
    ['several statements', 'select 1; select 2', []],
    ['a statement that isn’t prepared', 'drop table missing', []],
  ])('%s', async (_, sql, parameters) => {
    await insertProduct(1);
    const expected: unknown = await pglite.query(sql, parameters).catch((error: unknown) => error);
    if (!(expected instanceof Error)) throw new Error('the statement succeeds');
    const { query, params, queryOptions, ...fields } = { ...expected, query: 0, params: 0, queryOptions: 0 };
    for (let execution = 0; execution < EXECUTIONS; execution += 1) {
      const error: unknown = await statements.run(sql, parameters).catch((reason: unknown) => reason);
      expect(error).toHaveProperty('message', expected.message);
      expect({ ...(error as Error) }).toEqual(fields);
      expect(await statements.run('select 1 as value', [])).toMatchObject({ rows: [{ value: 1 }] });
    }
  });

  test('a wrong number of parameters', async () => {
    await expect(statements.run('select $1::text', [])).rejects.toThrow('supplies 0 parameters');
    await expect(statements.run('select $1::text', ['a', 'b'])).rejects.toThrow('supplies 2 parameters');
  });

  test('after an error, a transaction refuses known and new statements until it ends', async () => {
    await statements.run('select 1 as known', []);
    await pglite.exec('begin');
    await expect(insertProduct(Number.NaN)).rejects.toMatchObject({ code: '22P02' });
    await expect(statements.run('select 1 as known', [])).rejects.toMatchObject({ code: '25P02' });
    await expect(statements.run('select 1 as new', [])).rejects.toMatchObject({ code: '25P02' });
    await pglite.exec('rollback');
    expect(await statements.run('select 1 as known', [])).toMatchObject({ rows: [{ known: 1 }] });
    expect(await statements.run('select 1 as new', [])).toMatchObject({ rows: [{ new: 1 }] });
  });
});

describe('after a change of the schema', () => {
  afterEach(() => pglite.exec('drop table if exists parcel'));

  const read = () => statements.run('select * from parcel where weight = $1', ['1']);

  test('statements return the new columns and accept values of the new types', async () => {
    await statements.run('create table parcel as select 1 as weight', []);
    expect(await read()).toMatchObject({ rows: [{ weight: 1 }] });
    await statements.run('alter table parcel add column place text', []);
    expect(await read()).toMatchObject({ rows: [{ weight: 1, place: null }] });
    await statements.run('alter table parcel alter column weight type text', []);
    expect(await read()).toMatchObject({ rows: [{ weight: '1', place: null }] });
    await statements.run('drop table parcel', []);
    await expect(read()).rejects.toMatchObject({ code: '42P01' });
    await statements.run('create table parcel as select true as weight', []);
    expect(await read()).toMatchObject({ rows: [{ weight: true }] });
  });

  test('a statement fails at most once if the schema was changed past the prepared statements', async () => {
    await statements.run('create table parcel as select 1 as weight', []);
    await read();
    await pglite.exec('alter table parcel add column place text');
    await expect(read()).rejects.toMatchObject({ code: '0A000' });
    expect(await read()).toMatchObject({ rows: [{ weight: 1, place: null }] });
  });
});

test('a statement is prepared once, until its lifetime is over', async () => {
  const read = async () => {
    await statements.run('select 1 as kept', []);
    const { rows } = await pglite.query<{ name: string }>(
      "select name from pg_prepared_statements where statement = 'select 1 as kept'",
    );
    return rows.map(({ name }) => name);
  };
  const names = await read();
  expect(names).toHaveLength(1);
  expect(await read()).toEqual(names);
  const later = performance.now() + 10 * 60_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  await expect.poll(async () => (await read()).filter((name) => !names.includes(name))).toHaveLength(1);
  expect(await read()).toHaveLength(1);
});

test('the prepared texts stay bounded, however many different ones are run', async () => {
  const pad = 'x'.repeat(5_000);
  for (let number = 0; number < 1_000; number += 1) {
    expect(await statements.run(`select ${number} as "${number}", '${pad}' as pad`, [])).toMatchObject({
      rows: [{ [number]: number, pad }],
    });
  }
  const totalLength = (await listPrepared()).reduce((sum, { length }) => sum + length, 0);
  expect(totalLength).toBeGreaterThan(50_000);
  // The statement that was removed last is closed together with the next preparation.
  expect(totalLength).toBeLessThan(110_000);
});

test('a long text runs without staying prepared', async () => {
  const values = Array.from({ length: 5_000 }, (_, index) => index);
  const sql = `select count(*) from (values ${values.map((value) => `($${value + 1}::int)`).join()}) as v(n)`;
  for (let execution = 0; execution < 2; execution += 1) {
    expect(await statements.run(sql, values)).toMatchObject({ rows: [{ count: 5_000 }] });
  }
  expect((await listPrepared()).filter(({ length }) => length > 10_000)).toEqual([]);
});
