import { type Kysely, sql } from 'kysely';

/** The audit record is append-only, so it can't be emptied. It also needs its key to continue. */
const PERSISTENT_TABLES = ['audit_entry', 'audit_head', 'audit_checkpoint', 'shared_secret'];
/** Kysely's migration tables. */
const MIGRATIONS = 'kysely_migration%';

/** Empties every table except those that persist across tests. */
export async function emptyTables<Schema>(db: Kysely<Schema>): Promise<void> {
  for (const name of await listWrittenTables(db))
    if (!PERSISTENT_TABLES.includes(name)) await sql`delete from ${sql.table(name)}`.execute(db);
}

/** Lists the tables that have or had rows, except Kysely's. Most tests write to few of the tables. */
export async function listWrittenTables<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like ${MIGRATIONS}
      and pg_relation_size(oid) > 0`.execute(db);
  return rows.map(({ name }) => name);
}
