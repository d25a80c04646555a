import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Dialect, Kysely, sql } from 'kysely';
import { describe, inject, onTestFinished } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { openBotDatabase } from './bot-database.ts';
import { createBotDatabaseFolder, createDatabaseFolder } from './database-folder.ts';
import { openPGlite } from './open-pglite.ts';
import { createDialectFactory, type OpenEmbedded, shareDatabase } from './shared-database.ts';

/** A database for one test. `dialect()` creates a dialect for another connection, and `close` removes the database. */
export interface TestDatabase {
  dialect(): Dialect;
  close(): Promise<void>;
}

/** Defines the same tests for every supported database. The tests on Postgres are skipped if Postgres isn't installed. */
export function onEveryDatabase(defineTests: (create: () => Promise<TestDatabase>) => void): void {
  describe('on PGlite in this thread', () => defineTests(openBotDatabase));
  describe('on PGlite in a separate thread', () => defineTests(openThreadedBotDatabase));
  onPostgres((buildUrl) => defineTests(() => createOnPostgres(buildUrl)));
}

/** Opens a database with the app's tables. */
export async function openWithTables(create: () => Promise<TestDatabase>) {
  const database = await create();
  const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  const close = async () => {
    await db.destroy();
    await database.close();
  };
  return { db, close };
}

/** Opens a database with the app's tables, and removes it after the test. */
export async function openTestDatabase(create: () => Promise<TestDatabase>): Promise<Kysely<BotSchema>> {
  const { db, close } = await openWithTables(create);
  onTestFinished(close);
  return db;
}

const openThreadedBotDatabase = shareDatabase<BotSchema>({
  createFolder: createBotDatabaseFolder,
  open: openThreadedPGlite,
  migrations,
});

/** The same with databases that have no tables yet. Embedded databases usually have them, which saves migrations. */
export function onEveryEmptyDatabase(defineTests: (create: () => Promise<TestDatabase>) => void): void {
  describe('on PGlite in this thread', () => defineTests(() => openEmbedded(openPGlite)));
  describe('on PGlite in a separate thread', () => defineTests(() => openEmbedded(openThreadedPGlite)));
  onPostgres((buildUrl) => defineTests(() => createOnPostgres(buildUrl)));
}

/**
 * Defines tests that need Postgres. `buildUrl` returns the address of a database on the Postgres server of the test run.
 */
export function onPostgres(
  defineTests: (buildUrl: (database: string, user?: string) => string) => void,
): void {
  const buildUrl = findPostgres();
  describe.skipIf(!buildUrl)('[postgres]', () => defineTests(buildUrl ?? (() => '')));
}

/** Returns what builds the address of a database on the Postgres server of the test run. Undefined without Postgres. */
export function findPostgres(): ((database: string, user?: string) => string) | undefined {
  const urlTemplate = inject('postgresUrl');
  return urlTemplate === null
    ? undefined
    : (name, user = 'postgres') => urlTemplate.replace('NAME', name).replace('USER', user);
}

async function openEmbedded(open: OpenEmbedded): Promise<TestDatabase> {
  const folder = await createDatabaseFolder();
  const database = await open(folder);
  return {
    dialect: createDialectFactory(database),
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates a database on the Postgres server of the test run. */
export async function createOnPostgres(
  buildUrl: (database: string) => string,
): Promise<TestDatabase & { name: string; url: string }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsOwner(buildUrl, `create database ${name}`);
  return {
    name,
    url: buildUrl(name),
    dialect: () => createPostgresDialect(buildUrl(name)),
    close: () => runAsOwner(buildUrl, `drop database ${name} with (force)`),
  };
}

/** Runs a statement on the server, in another database than the test's. */
export async function runAsOwner(buildUrl: (database: string) => string, statement: string): Promise<void> {
  const db = new Kysely({ dialect: createPostgresDialect(buildUrl('postgres')) });
  await sql.raw(statement).execute(db);
  await db.destroy();
}
