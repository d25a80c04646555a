import { type Kysely, sql } from 'kysely';

/** The audit log is append-only, so it can't be emptied. */
const PERSISTENT_TABLES = ['audit_entry'];
/** Kysely's migration tables. */
const MIGRATIONS = 'kysely_migration%';

/** Empties every table except those that persist across tests, in one statement. */
export async function emptyTables<Schema>(db: Kysely<Schema>): Promise<void> {
  const deletions = (await listTables(db))
    .filter((name) => !PERSISTENT_TABLES.includes(name))
    .map((name) => sql`${sql.ref(`deleted_${name}`)} as (delete from ${sql.table(name)})`);
  await sql`with ${sql.join(deletions)} select`.execute(db);
}

/** Lists all tables except Kysely's. */
export async function listTables<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like ${MIGRATIONS}
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}
