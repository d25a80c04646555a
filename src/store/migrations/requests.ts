import type { Kysely } from 'kysely';

/** Open forms and Home tabs, what was seen or done once, and the halt of all sending. */
export async function requestTables(db: Kysely<unknown>): Promise<void> {
  await openForms(db);
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
  await db.schema
    .createTable('seen_request')
    .addColumn('signature', 'text', (column) => column.primaryKey())
    .addColumn('kept_until', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('seen_request_age').on('seen_request').column('kept_until').execute();
  await db.schema
    .createTable('halt')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('why', 'text', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function openForms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('open_form')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('asker', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('open_form_age').on('open_form').column('opened_at').execute();
  // To find the oldest of somebody who has too many.
  await db.schema
    .createIndex('open_form_by_asker')
    .on('open_form')
    .columns(['workspace', 'asker', 'opened_at'])
    .execute();
}
