import type { Kysely } from 'kysely';

/** A channel is about any number of projects; who has the Home tab; what is done once however often it is asked for. */
export async function bindings(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('channel_project').dropConstraint('channel_project_key').execute();
  await db.schema
    .alterTable('channel_project')
    .addPrimaryKeyConstraint('channel_project_key', ['workspace', 'channel', 'project'])
    .execute();
  await db.schema
    .alterTable('channel_project')
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('home_tab')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('home_tab_key', ['workspace', 'person'])
    .execute();
  await db.schema
    .createTable('done_once')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kept_until', 'timestamptz')
    .addPrimaryKeyConstraint('done_once_key', ['workspace', 'name'])
    .execute();
  await db.schema.createIndex('done_once_age').on('done_once').column('kept_until').execute();
}
