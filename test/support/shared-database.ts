import { rmSync } from 'node:fs';
import { type DatabaseConnection, type Dialect, type Kysely, sql } from 'kysely';
import { type Migrations, openDatabase } from '../../src/store/database.ts';
import type { EmbeddedDatabase } from '../../src/store/pglite/locked-database.ts';

export type OpenEmbedded = (folder: string) => Promise<EmbeddedDatabase>;

/** An empty database. */
interface SharedDatabase<Schema> {
  db: Kysely<Schema>;
  /** Creates a dialect for another connection. */
  dialect(): Dialect;
  close(): Promise<void>;
}

interface OpenedDatabase<Schema> extends SharedDatabase<Schema> {
  /** Whether it still answers, with the same schema. */
  isReusable(): Promise<boolean>;
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
    await emptyAllTables.execute(db);
    return {
      db,
      dialect,
      async close() {
        const isReusable = await shared.isReusable().catch(() => false);
        shared.isInUse = false;
        if (isReusable) return;
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
  let mayDiffer = false;
  const dialect = createDialectFactory(database, (statement) => {
    mayDiffer ||= !DATA_STATEMENT.test(statement);
  });
  const db = await openDatabase<Schema>({ dialect: dialect(), migrations: options.migrations });
  await createEmptyTables.execute(db);
  const schema = await readSchema(db);
  mayDiffer = false;
  return {
    db,
    dialect,
    isInUse: false,
    async isReusable() {
      await sql`select`.execute(db);
      mayDiffer &&= (await readSchema(db)) !== schema;
      return !mayDiffer;
    },
    async close() {
      await database.close();
      removeFolder();
      process.off('exit', removeFolder);
    },
  };
}

/** Creates dialects for connections. As on Postgres, ending one connection doesn't close the database. */
export function createDialectFactory(
  { dialect }: EmbeddedDatabase,
  onStatement: (sql: string) => void = () => undefined,
): () => Dialect {
  return () => ({
    ...dialect,
    createDriver() {
      const driver = dialect.createDriver();
      const acquireConnection = driver.acquireConnection.bind(driver);
      return Object.assign(driver, {
        async acquireConnection(): Promise<DatabaseConnection> {
          const connection = await acquireConnection();
          return {
            executeQuery(query) {
              onStatement(query.sql);
              return connection.executeQuery(query);
            },
            streamQuery: connection.streamQuery.bind(connection),
          };
        },
        destroy: async () => {},
      });
    },
  });
}

/** Matches statements that don't change the schema. */
const DATA_STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Tables with more data are truncated, which removes their files and outdates prepared statements. */
const MAX_DELETED_BYTES = 2 ** 16;

/**
 * Creates a function that empties all tables but those of Kysely, also the append-only ones, whose triggers don't run in
 * replicas. Its calls are prepared statements, and a change of a setting outside of it would end all prepared ones.
 */
const createEmptyTables = sql`
  create function pg_temp.empty_tables() returns void language plpgsql as ${sql.raw(`$$
  declare
    name text;
    large_tables text;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for name in
      select oid::regclass from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname not like 'kysely_migration%' and pg_relation_size(oid) between 1 and ${MAX_DELETED_BYTES}
    loop
      execute 'delete from ' || name;
    end loop;
    select string_agg(oid::regclass::text, ', ') into large_tables from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname not like 'kysely_migration%' and pg_relation_size(oid) > ${MAX_DELETED_BYTES};
    -- A table that refers to these is empty, but can't be left out.
    if large_tables is not null then
      execute 'truncate ' || large_tables || ' cascade';
    end if;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
  end $$`)}`;

const emptyAllTables = sql`select pg_temp.empty_tables()`;

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
