import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Dialect, Kysely, sql } from 'kysely';
import { describe, inject } from 'vitest';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { createDatabaseFolder } from './database-folder.ts';

/** A database for one test. `dialect()` opens another handle on the database, and `close` removes it. */
export interface TestDatabase {
  dialect(): Dialect;
  close(): Promise<void>;
}

/** Runs the same tests on every supported database. The tests on Postgres are skipped if Postgres isn't installed. */
export function onEveryDatabase(suite: (create: () => Promise<TestDatabase>) => void): void {
  describe('on PGlite in this thread', () => suite(() => createEmbedded(openPGlite)));
  describe('on PGlite in a separate thread', () => suite(() => createEmbedded(openThreadedPGlite)));
  onPostgres((url) => suite(() => createOnPostgres(url)));
}

/** Runs tests that need Postgres. `url` returns the address of a database on the Postgres server of the test run. */
export function onPostgres(suite: (url: (database: string, user?: string) => string) => void): void {
  const url = inject('postgresUrl');
  describe.skipIf(!url)('[postgres]', () => {
    suite((name, user = 'postgres') => (url ?? '').replace('NAME', name).replace('USER', user));
  });
}

async function createEmbedded(
  open: (folder: string) => ReturnType<typeof openPGlite>,
): Promise<TestDatabase> {
  const folder = await createDatabaseFolder();
  const { dialect, close } = await open(folder);
  return {
    // As on Postgres, closing a handle doesn't close the database.
    dialect: () => ({
      ...dialect,
      createDriver: () => Object.assign(dialect.createDriver(), { destroy: async () => {} }),
    }),
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates a database on the Postgres server of the test run. */
export async function createOnPostgres(
  url: (database: string) => string,
): Promise<TestDatabase & { url: string }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsOwner(url, `create database ${name}`);
  return {
    url: url(name),
    dialect: () => createPostgresDialect(url(name)),
    close: () => runAsOwner(url, `drop database ${name} with (force)`),
  };
}

async function runAsOwner(url: (database: string) => string, statement: string): Promise<void> {
  const db = new Kysely({ dialect: createPostgresDialect(url('postgres')) });
  await sql.raw(statement).execute(db);
  await db.destroy();
}
