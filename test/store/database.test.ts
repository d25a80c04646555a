import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Migrations, openDatabase } from '../../src/store/database.ts';
import { DatabaseTooNew, DatabaseTooOld } from '../../src/store/version-mismatch.ts';
import { onEveryEmptyDatabase, type TestDatabase } from '../support/databases.ts';

interface Schema {
  post: { id: number; text: string };
}

const firstMigrations: Migrations = {
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
const secondMigrations: Migrations = { ...firstMigrations, '002-author': { up: async () => undefined } };

onEveryEmptyDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<Schema>;

  beforeAll(async () => {
    database = await create();
  });

  beforeEach(async () => {
    db = await openDatabase<Schema>({ dialect: database.dialect(), migrations: firstMigrations });
  });

  afterEach(async () => {
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    await db.destroy();
  });

  afterAll(() => database.close());

  const listTexts = async () =>
    (await db.selectFrom('post').select('text').orderBy('id').execute()).map((row) => row.text);

  test('a migration runs once, however often the database is opened', async () => {
    await db.insertInto('post').values({ id: 1, text: 'stored' }).execute();
    await openDatabase<Schema>({ dialect: database.dialect(), migrations: secondMigrations });
    expect(await listTexts()).toEqual(['stored']);
  });

  test('a failing migration is rolled back, and its error is thrown', async () => {
    const failingMigrations: Migrations = {
      ...firstMigrations,
      '002-half': {
        up: async (db: Kysely<unknown>) => {
          await sql`create table half (id integer)`.execute(db);
          await sql`select 1 / 0`.execute(db);
        },
      },
    };
    const opening = openDatabase({ dialect: database.dialect(), migrations: failingMigrations });
    await expect(opening).rejects.toMatchObject({ code: '22012' });
    const { rows } = await sql<{ half: unknown }>`select to_regclass('half') as half`.execute(db);
    expect(rows).toEqual([{ half: null }]);
  });

  test('a database of a newer version is refused, and the error names the unknown migrations', async () => {
    await openDatabase<Schema>({ dialect: database.dialect(), migrations: secondMigrations });
    const opening = openDatabase<Schema>({ dialect: database.dialect(), migrations: firstMigrations });
    await expect(opening).rejects.toThrow(DatabaseTooNew);
    await expect(opening).rejects.toMatchObject({ unknownMigrations: ['002-author'] });
  });

  test('a database of an incompatible earlier version is refused and not changed', async () => {
    const laterMigrations: Migrations = {
      '002-squashed': { up: (connection) => sql`drop table post`.execute(connection).then() },
    };
    await db.insertInto('post').values({ id: 1, text: 'stored' }).execute();
    const opening = openDatabase<Schema>({ dialect: database.dialect(), migrations: laterMigrations });
    await expect(opening).rejects.toThrow(DatabaseTooOld);
    await expect(opening).rejects.toThrow(
      /earlier version .*001-post.*Nothing was changed: use .* empty database/,
    );
    expect(await listTexts()).toEqual(['stored']);
  });

  test('a statement outside a transaction neither sees its changes nor is rolled back with it', async () => {
    const insideTransaction = Promise.withResolvers<void>();
    const transaction = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('post').values({ id: 1, text: 'undone' }).execute();
      insideTransaction.resolve();
      // Another caller begins at the same time. With a single connection, the caller must wait for this transaction.
      await new Promise((resolve) => setImmediate(resolve));
      await transaction.insertInto('post').values({ id: 2, text: 'undone too' }).execute();
      throw new Error('changed my mind');
    });
    await insideTransaction.promise;
    const insertion = db.insertInto('post').values({ id: 3, text: 'stored' }).execute();
    await expect(transaction).rejects.toThrow('changed my mind');
    await insertion;
    expect(await listTexts()).toEqual(['stored']);
  });

  test('simultaneous transactions don’t overwrite each other’s changes', async () => {
    await db.insertInto('post').values({ id: 1, text: '0' }).execute();
    const increment = () =>
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
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await listTexts()).toEqual(['20']);
  });

  test('a transaction with a failed statement fails as a whole, even if the error was caught', async () => {
    const transaction = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('post').values({ id: 1, text: 'half' }).execute();
      await sql`select 1 / 0`.execute(transaction).catch(() => undefined);
    });
    await expect(transaction).rejects.toThrow();
    await db.insertInto('post').values({ id: 2, text: 'after' }).execute();
    expect(await listTexts()).toEqual(['after']);
  });

  test('an error of the database has a code, a constraint and a detail, but not the statement or its parameters', async () => {
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
