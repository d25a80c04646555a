import type { Kysely } from 'kysely';

/** Creates the tables for open forms, Home tabs, one-time actions, and the stop of all sending. */
export async function createRequestTables(db: Kysely<unknown>): Promise<void> {
  await createOpenFormTable(db);
  await db.schema
    .createTable('home_tab')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('home_tab_key', ['workspace', 'person'])
    .execute();
  await db.schema
    .createTable('once_claim')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addPrimaryKeyConstraint('once_claim_key', ['workspace', 'name'])
    .execute();
  await db.schema.createIndex('once_claim_expires_at').on('once_claim').column('expires_at').execute();
  await db.schema
    .createTable('sending_stop')
    // Empty for a stop of all sending.
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('stopped_by', 'text')
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('sending_stop_key', ['workspace', 'project'])
    .execute();
}

async function createOpenFormTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('open_form')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('open_form_expires_at').on('open_form').column('expires_at').execute();
  // For the query that finds the oldest forms of a person with too many open forms.
  await db.schema
    .createIndex('open_form_by_author')
    .on('open_form')
    .columns(['workspace', 'author', 'opened_at'])
    .execute();
}
