import type { Kysely } from 'kysely';

/** What must still be deleted or paused because the app has left a workspace. */
export async function departures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('departure')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('installation', 'text', (column) => column.notNull())
    .addColumn('workspaces', 'text', (column) => column.notNull())
    .addColumn('left_at', 'timestamptz', (column) => column.notNull())
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
