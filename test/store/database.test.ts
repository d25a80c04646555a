import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Migrations, openDatabase } from '../../src/store/database.ts';
import { DatabaseTooNew } from '../../src/store/database-too-new.ts';
import { DatabaseTooOld } from '../../src/store/database-too-old.ts';
import { onEveryDatabase, type TestDatabase } from '../support/databases.ts';

interface Schema {
  post: { id: number; text: string };
}

const first: Migrations = {
  '001-post': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('post')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute();
    },
  },
};
const second: Migrations = { ...first, '002-author': { up: async () => undefined } };

onEveryDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<Schema>;

  beforeAll(async () => {
    database = await create();
  });

  beforeEach(async () => {
    db = await openDatabase<Schema>({ dialect: database.dialect(), migrations: first });
  });

  afterEach(async () => {
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    await db.destroy();
  });

  afterAll(() => database.close());

  const texts = async () =>
    (await db.selectFrom('post').select('text').orderBy('id').execute()).map((r) => r.text);

  test('a migration runs once, however often the database is opened', async () => {
    await db.insertInto('post').values({ id: 1, text: 'kept' }).execute();
    await openDatabase<Schema>({ dialect: database.dialect(), migrations: second });
    expect(await texts()).toEqual(['kept']);
  });

  test('a failing migration is rolled back, and its error is thrown', async () => {
    const failing: Migrations = {
      ...first,
      '002-half': {
        up: async (db: Kysely<unknown>) => {
          await sql`create table half (id integer)`.execute(db);
          await sql`select 1 / 0`.execute(db);
        },
      },
    };
    const opening = openDatabase({ dialect: database.dialect(), migrations: failing });
    await expect(opening).rejects.toMatchObject({ code: '22012' });
    const { rows } = await sql<{ half: unknown }>`select to_regclass('half') as half`.execute(db);
    expect(rows).toEqual([{ half: null }]);
  });

  test('a database of a newer version is refused, and the error names the unknown migrations', async () => {
    await openDatabase<Schema>({ dialect: database.dialect(), migrations: second });
    const opening = openDatabase<Schema>({ dialect: database.dialect(), migrations: first });
    await expect(opening).rejects.toThrow(DatabaseTooNew);
    await expect(opening).rejects.toMatchObject({ unknownMigrations: ['002-author'] });
  });

  test('a database of an earlier version is refused and not changed', async () => {
    const later: Migrations = { '002-squashed': { up: (on) => sql`drop table post`.execute(on).then() } };
    await db.insertInto('post').values({ id: 1, text: 'kept' }).execute();
    const opening = openDatabase<Schema>({ dialect: database.dialect(), migrations: later });
    await expect(opening).rejects.toThrow(DatabaseTooOld);
    await expect(opening).rejects.toThrow(
      /earlier version .*001-post.*Nothing was changed: use .* empty database/,
    );
    expect(await texts()).toEqual(['kept']);
  });

  test('a statement outside a transaction neither sees it nor is rolled back with it', async () => {
    const inside = Promise.withResolvers<void>();
    const undone = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('post').values({ id: 1, text: 'undone' }).execute();
      inside.resolve();
      // Another caller at the same moment. With one connection it must wait for this transaction.
      await new Promise((resolve) => setImmediate(resolve));
      await transaction.insertInto('post').values({ id: 2, text: 'undone too' }).execute();
      throw new Error('changed my mind');
    });
    await inside.promise;
    const other = db.insertInto('post').values({ id: 3, text: 'kept' }).execute();
    await expect(undone).rejects.toThrow('changed my mind');
    await other;
    expect(await texts()).toEqual(['kept']);
  });

  test('of many simultaneous transactions each sees its own changes', async () => {
    await db.insertInto('post').values({ id: 1, text: '0' }).execute();
    const addOne = () =>
      db.transaction().execute(async (transaction) => {
        const { text } = await transaction
          .selectFrom('post')
          .select('text')
          .forUpdate()
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable('post')
          .set({ text: String(Number(text) + 1) })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await texts()).toEqual(['20']);
  });

  test('a transaction with a failed statement fails as a whole, even if the error was caught', async () => {
    const half = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('post').values({ id: 1, text: 'half' }).execute();
      await sql`select 1 / 0`.execute(transaction).catch(() => undefined);
    });
    await expect(half).rejects.toThrow();
    await db.insertInto('post').values({ id: 2, text: 'after' }).execute();
    expect(await texts()).toEqual(['after']);
  });

  test('an error has its code, constraint and detail, but not the statement or its parameters', async () => {
    await db.insertInto('post').values({ id: 1, text: 'one' }).execute();
    const error: unknown = await db
      .insertInto('post')
      .values({ id: 1, text: 'secret words' })
      .execute()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: '23505',
      constraint: 'post_pkey',
      table: 'post',
      detail: 'Key (id)=(1) already exists.',
    });
    expect(JSON.stringify(error)).not.toContain('secret words');
  });

  test('the number of changed rows is returned', async () => {
    await db
      .insertInto('post')
      .values([
        { id: 1, text: 'a' },
        { id: 2, text: 'b' },
      ])
      .execute();
    expect((await db.deleteFrom('post').executeTakeFirstOrThrow()).numDeletedRows).toBe(2n);
  });
});
