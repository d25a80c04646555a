import { rmSync } from 'node:fs';
import { type Dialect, type Kysely, sql } from 'kysely';
import { type Migrations, openDatabase } from '../../src/store/database.ts';
import type { EmbeddedDatabase } from '../../src/store/pglite/locked-database.ts';
import { listWrittenTables } from './empty-tables.ts';

export type OpenEmbedded = (folder: string) => Promise<EmbeddedDatabase>;

/** An empty database. */
interface SharedDatabase<Schema> {
  db: Kysely<Schema>;
  /** Creates a dialect for another connection. */
  dialect(): Dialect;
  close(): Promise<void>;
}

interface OpenedDatabase<Schema> extends SharedDatabase<Schema> {
  /** The schema after the migrations. */
  schema: string;
  isInUse: boolean;
}

interface SharingOptions {
  /** Creates a folder with a database. */
  createFolder(): Promise<string>;
  open: OpenEmbedded;
  migrations: Migrations;
}

/**
 * Returns a function that opens an empty database. The tests of a worker use the same one, one after the other, because
 * opening one takes up to a second of CPU time. While it is in use, another one is opened. A test that leaves the schema
 * changed doesn't affect the next one.
 */
export function shareDatabase<Schema>(options: SharingOptions): () => Promise<SharedDatabase<Schema>> {
  let sharedDatabase: Promise<OpenedDatabase<Schema>> | undefined;
  return async () => {
    sharedDatabase ??= createDatabase<Schema>(options);
    const shared = await sharedDatabase;
    if (shared.isInUse) return createDatabase(options);
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

async function createDatabase<Schema>(options: SharingOptions): Promise<OpenedDatabase<Schema>> {
  const folder = await options.createFolder();
  // The last database stays open until the worker ends.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const database = await options.open(folder);
  const dialect = createDialectFactory(database);
  const db = await openDatabase<Schema>({ dialect: dialect(), migrations: options.migrations });
  return {
    db,
    dialect,
    schema: await readSchema(db),
    isInUse: false,
    async close() {
      await database.close();
      removeFolder();
      process.off('exit', removeFolder);
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
async function truncateTables<Schema>(db: Kysely<Schema>): Promise<void> {
  const names = await listWrittenTables(db);
  if (names.length === 0) return;
  await sql`set session_replication_role = replica`.execute(db);
  // A table that refers to these is empty, but can't be left out.
  await sql`truncate ${sql.join(names.map((name) => sql.table(name)))} restart identity cascade`.execute(db);
  await sql`set session_replication_role = default`.execute(db);
}

/** Describes the tables, columns, constraints, indexes, triggers and functions. */
async function readSchema<Schema>(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select relname || relkind::text as name from pg_class where relnamespace = current_schema()::regnamespace
    union all select tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all select proname || md5(prosrc) from pg_proc where pronamespace = current_schema()::regnamespace
    union all select conname || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = current_schema()::regnamespace
    union all select attrelid::regclass || attname || atttypid || attnotnull from pg_attribute
      join pg_class on pg_class.oid = attrelid where relnamespace = current_schema()::regnamespace
    order by 1`.execute(db);
  return rows.map(({ name }) => name).join();
}
