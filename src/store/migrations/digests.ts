import { type Kysely, sql } from 'kysely';

/** What is posted by itself: the settings, and one row for each time that one of them comes. */
export async function digests(db: Kysely<unknown>): Promise<void> {
  await settings(db);
  await occurrences(db);
  await indexes(db);
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('digest')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('projects', 'text')
    .addColumn('days', 'text', (column) => column.notNull())
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('shows', 'text', (column) => column.notNull())
    .addColumn('silent_when_empty', 'boolean', (column) => column.notNull())
    .addColumn('shared_known', 'boolean', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('paused_why', 'text')
    .addColumn('next_at', 'timestamptz')
    .addColumn('next_date', 'text')
    .addColumn('posted_at', 'timestamptz')
    .addColumn('memory', 'text')
    .addColumn('tell_at', 'timestamptz')
    .addColumn('tells', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('made_at', 'timestamptz', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function occurrences(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('digest_occurrence')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('asked_at', 'timestamptz')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('why', 'text')
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'timestamptz')
    .addColumn('next_at', 'timestamptz')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('tried_since', 'timestamptz')
    .addColumn('sending_at', 'timestamptz')
    .addColumn('conversation', 'text')
    .addColumn('ts', 'text')
    .addColumn('file', 'text')
    .addColumn('afterwards', 'text')
    .addColumn('tell_at', 'timestamptz')
    .addColumn('tells', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('made_at', 'timestamptz', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    // Whatever the code above it does: of one digest's date, never two.
    .addUniqueConstraint('digest_occurrence_key', ['workspace', 'digest', 'slot'])
    .execute();
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('digest_next')
    .on('digest')
    .column('next_at')
    .where(sql.ref('next_at'), 'is not', null)
    .execute();
  await db.schema.createIndex('digest_place').on('digest').columns(['workspace', 'channel']).execute();
  for (const table of ['digest', 'digest_occurrence']) {
    await db.schema
      .createIndex(`${table}_telling`)
      .on(table)
      .column('tell_at')
      .where(sql.ref('tell_at'), 'is not', null)
      .execute();
  }
  await db.schema
    .createIndex('digest_occurrence_moving')
    .on('digest_occurrence')
    .column('next_at')
    .where(sql.ref('next_at'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('digest_occurrence_of')
    .on('digest_occurrence')
    .columns(['digest', 'slot'])
    .execute();
  await db.schema.createIndex('digest_occurrence_age').on('digest_occurrence').column('changed_at').execute();
}
