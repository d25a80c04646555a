import type { Kysely } from 'kysely';

/** Which zone a channel, a project or a person's own posts are in. */
export async function zones(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('zone')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('chosen_by', 'text', (column) => column.notNull())
    .addColumn('chosen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('zone_key', ['workspace', 'scope', 'subject'])
    .execute();
}
