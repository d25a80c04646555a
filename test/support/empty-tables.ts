import { type Kysely, sql } from 'kysely';

/** The record only grows: the database refuses to empty it. Without its key it could not be continued. */
const STAYS = ['record', 'record_head', 'shared_secret'];
/** What Kysely notes about migrations. */
const MIGRATIONS = 'kysely_migration%';

/** Empties every table that the database has, but those that outlive a test. */
export async function emptyTables<Schema>(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and table_name not like ${MIGRATIONS} and table_name <> all(${STAYS})`.execute(db);
  for (const { name } of rows) await sql`delete from ${sql.table(name)}`.execute(db);
}
