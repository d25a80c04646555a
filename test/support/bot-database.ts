import { rmSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { createBotDatabaseFolder } from './database-folder.ts';
import { listWrittenTables } from './empty-tables.ts';

export interface BotDatabase {
  db: Kysely<BotSchema>;
  close(): Promise<void>;
}

/** A database that the test files of this worker use one after the other. */
interface SharedDatabase extends BotDatabase {
  /** The schema after the migrations. */
  schema: string;
  isInUse: boolean;
}

let sharedDatabase: Promise<SharedDatabase> | undefined;

/**
 * Opens an empty database. The test files of a worker share one, because opening one takes seconds of CPU time. While it
 * is in use, another one is opened. A test that leaves the schema changed doesn't affect the next file.
 */
export async function openBotDatabase(): Promise<BotDatabase> {
  sharedDatabase ??= openSharedDatabase();
  const shared = await sharedDatabase;
  if (shared.isInUse) return openSharedDatabase();
  shared.isInUse = true;
  const { db } = shared;
  await truncateTables(db);
  return {
    db,
    async close() {
      const schema = await readSchema(db).catch(() => undefined);
      shared.isInUse = false;
      if (schema === shared.schema) return;
      sharedDatabase = undefined;
      await shared.close();
    },
  };
}

async function openSharedDatabase(): Promise<SharedDatabase> {
  const folder = await createBotDatabaseFolder();
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const { dialect, close } = await openPGlite(folder);
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  return {
    db,
    schema: await readSchema(db),
    isInUse: false,
    async close() {
      await close();
      removeFolder();
      process.off('exit', removeFolder);
    },
  };
}

/** Empties all tables but those of Kysely, also the append-only ones, whose triggers don't run in replicas. */
async function truncateTables(db: Kysely<BotSchema>): Promise<void> {
  const names = await listWrittenTables(db);
  if (names.length === 0) return;
  await sql`set session_replication_role = replica`.execute(db);
  // A table that refers to these is empty, but can't be left out.
  await sql`truncate ${sql.join(names.map((name) => sql.table(name)))} restart identity cascade`.execute(db);
  await sql`set session_replication_role = default`.execute(db);
}

/** Describes the tables, indexes, triggers and functions. */
async function readSchema(db: Kysely<BotSchema>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select relname || relkind::text as name from pg_class where relnamespace = current_schema()::regnamespace
    union all select tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all select proname from pg_proc where pronamespace = current_schema()::regnamespace
    order by 1`.execute(db);
  return rows.map(({ name }) => name).join();
}
