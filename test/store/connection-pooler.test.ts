import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { type PgBouncer, pgBouncerProgram, startPgBouncer } from '../support/pgbouncer.ts';
import { createSlowMigration } from './programs/slow-migration.ts';

const TEST_TIMEOUT_MS = 30_000;

onPostgres((buildUrl) => {
  describe.skipIf(!pgBouncerProgram)('[pgbouncer] in transaction mode', () => {
    let database: Awaited<ReturnType<typeof createOnPostgres>>;
    let pgBouncer: PgBouncer | undefined;

    beforeEach(async () => {
      database = await createOnPostgres(buildUrl);
    });
    afterEach(async () => {
      await pgBouncer?.stop();
      await database.close();
    });

    test(
      'if four instances start at the same time, one migrates, and no lock remains',
      async () => {
        pgBouncer = await startPgBouncer(database.url, 8);
        const url = pgBouncer.url(database.name);
        let migrationCount = 0;
        const migrations = createSlowMigration(() => {
          migrationCount += 1;
        });
        const open = () => openDatabase<unknown>({ dialect: createPostgresDialect(url), migrations });
        const databases = await Promise.all([open(), open(), open(), open()]);
        expect(migrationCount).toBe(1);
        const direct = await openDatabase<unknown>({ dialect: database.dialect(), migrations });
        const locks = sql`select 1 from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and datname = current_database()`;
        expect((await locks.execute(direct)).rows).toEqual([]);
        for (const db of [...databases, direct]) await db.destroy();
      },
      TEST_TIMEOUT_MS,
    );

    test(
      'the error for an unknown user or database says what PgBouncer may have refused',
      async () => {
        pgBouncer = await startPgBouncer(database.url, 1);
        const db = new Kysely<unknown>({ dialect: createPostgresDialect(pgBouncer.url('no-such-database')) });
        await expect(sql`select 1`.execute(db)).rejects.toThrow(
          'the database cannot be used: PgBouncer, if it is used, refuses this user, password or database, or has no connection to Postgres',
        );
        await db.destroy();
      },
      TEST_TIMEOUT_MS,
    );

    /** Connects two clients through a PgBouncer that gives both the same session of the server. */
    async function shareSession() {
      pgBouncer = await startPgBouncer(database.url, 1);
      const url = pgBouncer.url(database.name);
      const connect = () => new Kysely<unknown>({ dialect: createPostgresDialect(url) });
      return { url, db: connect(), otherDb: connect() };
    }
    const selectTimeout = sql<{ value: string }>`select current_setting('statement_timeout') as value`;
    const readTimeout = async (db: Kysely<unknown>) => (await selectTimeout.execute(db)).rows[0]?.value;

    test(
      'work without a statement timeout has none, although another instance has set one in its session',
      async () => {
        const { db, otherDb } = await shareSession();
        const sleep = sql`select pg_sleep(0.5)`;
        const timeout = await withoutStatementTimeout(async () => {
          await sql`select 1`.execute(db);
          await sql`set statement_timeout = '100ms'`.execute(otherDb);
          await sleep.execute(db);
          await db.transaction().execute((transaction) => sleep.execute(transaction));
          const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
          return reading.execute(async (transaction) => {
            await sleep.execute(transaction);
            return readTimeout(transaction);
          });
        });
        expect([timeout, await readTimeout(db)]).toEqual(['0', '100ms']);
        await db.destroy();
        await otherDb.destroy();
      },
      TEST_TIMEOUT_MS,
    );

    test(
      'another client’s session has its statement timeout after work without one, even if that failed',
      async () => {
        const { url, db, otherDb } = await shareSession();
        const timeouts = [await readTimeout(otherDb)];
        await withoutStatementTimeout(() => sql`create table stored as select 1 as one`.execute(db));
        timeouts.push(await readTimeout(otherDb));
        const failing = withoutStatementTimeout(() => sql`select 1 / 0`.execute(db));
        await expect(failing).rejects.toMatchObject({ code: '22012' });
        timeouts.push(await readTimeout(otherDb));
        const startedDb = await openDatabase({ dialect: createPostgresDialect(url), migrations: {} });
        timeouts.push(await readTimeout(otherDb));
        expect(timeouts).toEqual(['3500ms', '3500ms', '3500ms', '3500ms']);
        expect((await sql`select one from stored`.execute(otherDb)).rows).toEqual([{ one: 1 }]);
        for (const each of [db, otherDb, startedDb]) await each.destroy();
      },
      TEST_TIMEOUT_MS,
    );
  });
});
