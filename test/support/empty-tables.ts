import { type Kysely, sql } from 'kysely';

/** The audit record is append-only, so it can't be emptied. It also needs its key to continue. */
const PERSISTENT_TABLES = ['audit_entry', 'audit_head', 'audit_checkpoint', 'shared_secret'];
/** Kysely's migration tables. */
const MIGRATIONS = 'kysely_migration%';

/** Empties every table except those that persist across tests. */
export async function emptyTables<Schema>(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and table_name not like ${MIGRATIONS} and table_name <> all(${PERSISTENT_TABLES})`.execute(db);
  for (const { name } of rows) await sql`delete from ${sql.table(name)}`.execute(db);
}
