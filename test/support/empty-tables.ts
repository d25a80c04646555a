import { type Kysely, sql } from 'kysely';

/** The audit log is append-only, so it can't be emptied. Running instances have the shared secrets in memory. */
const PERSISTENT_TABLES = ['audit_entry', 'shared_secret'];
/** Kysely's migration tables. */
const MIGRATIONS = 'kysely_migration%';

/** Empties every table except those that persist across tests, in one statement. */
export async function emptyTables<Schema>(db: Kysely<Schema>): Promise<void> {
  const { rows } = await listTables.execute(db);
  const deletions = rows
    .filter(({ name }) => !PERSISTENT_TABLES.includes(name))
    .map(({ name }) => sql`${sql.ref(`deleted_${name}`)} as (delete from ${sql.table(name)})`);
  await sql`with ${sql.join(deletions)} select`.execute(db);
}

const listTables = sql<{ name: string }>`
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like ${MIGRATIONS}`;

/** Lists the tables that have or had rows, except Kysely's. */
export async function listWrittenTables<Schema>(db: Kysely<Schema>): Promise<string[]> {
  // The size takes a system call per table.
  const { rows } = await sql<{ name: string }>`${listTables} and pg_relation_size(oid) > 0`.execute(db);
  return rows.map(({ name }) => name);
}
