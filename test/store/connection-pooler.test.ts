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
      'a long transaction has no statement timeout, although another instance has set one in its session',
      async () => {
        // Everybody uses the same session of the server.
        pgBouncer = await startPgBouncer(database.url, 1);
        const url = pgBouncer.url(database.name);
        const db = new Kysely({ dialect: createPostgresDialect(url) });
        const otherDb = new Kysely({ dialect: createPostgresDialect(url) });
        await withoutStatementTimeout(async () => {
          await sql`select 1`.execute(db);
          await sql`set statement_timeout = '100ms'`.execute(otherDb);
          await db.transaction().execute((transaction) => sql`select pg_sleep(0.5)`.execute(transaction));
        });
        await db.destroy();
        await otherDb.destroy();
      },
      TEST_TIMEOUT_MS,
    );
  });
});
