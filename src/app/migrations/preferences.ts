import type { Kysely } from 'kysely';

/** Creates the tables for the projects of channels, for time zones, and for the notifications that people chose. */
export async function createPreferenceTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_project')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('bound_by', 'text', (column) => column.notNull())
    .addColumn('bound_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_project_key', ['workspace', 'channel', 'project'])
    .execute();
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
  await db.schema
    .createTable('notification_choice')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    // Whether to notify the person when posts go out, and when posts fail or are late.
    .addColumn('published', 'boolean', (column) => column.notNull())
    .addColumn('problems', 'boolean', (column) => column.notNull())
    .addColumn('chosen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_choice_key', ['workspace', 'person'])
    .execute();
}
