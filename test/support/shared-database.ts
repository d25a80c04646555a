import { rm } from 'node:fs/promises';
import { type Dialect, type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import type { EmbeddedDatabase } from '../../src/store/pglite/locked-database.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { createBotDatabaseFolder } from './database-folder.ts';
import { listWrittenTables } from './empty-tables.ts';

export type OpenEmbedded = (folder: string) => Promise<EmbeddedDatabase>;

/** An empty database with the bot's tables. */
export interface SharedDatabase {
  db: Kysely<BotSchema>;
  /** Creates a dialect for another connection. */
  dialect(): Dialect;
  close(): Promise<void>;
}

interface OpenedDatabase extends SharedDatabase {
  /** The schema after the migrations. */
  schema: string;
  isInUse: boolean;
}

/**
 * Returns a function that opens an empty database. The tests of a worker use the same one, one after the other, because
 * opening one takes a second of CPU time. While it is in use, another one is opened. A test that leaves the schema
 * changed doesn't affect the next one.
 */
export function shareDatabase(open: OpenEmbedded): () => Promise<SharedDatabase> {
  let sharedDatabase: Promise<OpenedDatabase> | undefined;
  return async () => {
    sharedDatabase ??= createDatabase(open);
    const shared = await sharedDatabase;
    if (shared.isInUse) return createDatabase(open);
    shared.isInUse = true;
    const { db, dialect } = shared;
    await truncateTables(db);
    return {
      db,
      dialect,
      async close() {
        const schema = await readSchema(db).catch(() => undefined);
        shared.isInUse = false;
        if (schema === shared.schema) return;
        sharedDatabase = undefined;
        await shared.close();
      },
    };
  };
}

async function createDatabase(open: OpenEmbedded): Promise<OpenedDatabase> {
  const folder = await createBotDatabaseFolder();
  const database = await open(folder);
  const dialect = createDialectFactory(database);
  const db = await openDatabase<BotSchema>({ dialect: dialect(), migrations });
  return {
    db,
    dialect,
    schema: await readSchema(db),
    isInUse: false,
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates dialects for connections. As on Postgres, ending one connection doesn't close the database. */
export function createDialectFactory({ dialect }: EmbeddedDatabase): () => Dialect {
  return () => ({
    ...dialect,
    createDriver: () => Object.assign(dialect.createDriver(), { destroy: async () => {} }),
  });
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
