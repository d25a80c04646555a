import { type Kysely, sql } from 'kysely';
import { createDeliveryIndexes, createDeliveryTable } from '../../engine/delivery-table.ts';

/** Creates the tables for the settings and the occurrences of digests. */
export async function createDigestTables(db: Kysely<unknown>): Promise<void> {
  await createSettingsTable(db);
  await createOccurrenceTable(db);
  await createIndexes(db);
}

async function createSettingsTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('digest')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('projects', 'text')
    .addColumn('days', 'text', (column) => column.notNull())
    // Minute of the day.
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('sections', 'text', (column) => column.notNull())
    .addColumn('silent_when_empty', 'boolean', (column) => column.notNull())
    .addColumn('shared_with', 'text')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('pause_reason', 'text')
    .addColumn('next_at', 'timestamptz')
    .addColumn('next_date', 'text')
    .addColumn('sent_at', 'timestamptz')
    .addColumn('snapshot', 'text')
    .addColumn('notify_at', 'timestamptz')
    .addColumn('notifying_since', 'timestamptz')
    .addColumn('notify_attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function createOccurrenceTable(db: Kysely<unknown>): Promise<void> {
  await createDeliveryTable(db, 'digest_occurrence')
    .addColumn('digest', 'text', (column) => column.notNull())
    // The local date for which the digest is sent, or the id of a person's request.
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('requested_at', 'timestamptz')
    .addColumn('sending_at', 'timestamptz')
    // Slack's id of the channel or direct message that contains the message.
    .addColumn('conversation', 'text')
    .addColumn('ts', 'text')
    .addColumn('file', 'text')
    .addColumn('follow_ups', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    // The database itself guarantees at most one occurrence for each digest and date.
    .addUniqueConstraint('digest_occurrence_key', ['workspace', 'digest', 'slot'])
    .execute();
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const createIndex = (table: string, name: string, columns: string[]) =>
    db.schema.createIndex(`${table}_${name}`).on(table).columns(columns);
  await createIndex('digest', 'next', ['next_at']).where(sql.ref('next_at'), 'is not', null).execute();
  await createIndex('digest', 'channel', ['workspace', 'channel']).execute();
  await createIndex('digest', 'notify', ['notify_at']).where(sql.ref('notify_at'), 'is not', null).execute();
  await createDeliveryIndexes(db, 'digest_occurrence');
  await createIndex('digest_occurrence', 'slot', ['digest', 'slot']).execute();
}
