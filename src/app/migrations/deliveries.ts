import { type Kysely, sql } from 'kysely';
import { createDeliveryIndexes, createDeliveryTable } from '../../engine/columns.ts';

/** States in which a submission may still reach the service. */
const ACTIVE_STATES = ['saved', 'sending', 'retryable', 'unknown', 'reconciling', 'needs-person'];
/** States without a further transition. */
const FINAL_STATES = ['confirmed', 'discarded'];

/** Creates the tables for submissions, publications, scheduled drafts, and pauses after refused tokens. */
export async function createSubmissionTables(db: Kysely<unknown>): Promise<void> {
  await createSubmissionTable(db);
  await createSubmissionIndexes(db);
  await createDeliveryTable(db, 'publication')
    .addColumn('author', 'text', (column) => column.notNull())
    .execute();
  await createDeliveryIndexes(db, 'publication');
  await db.schema
    .createIndex('publication_workspace')
    .on('publication')
    .columns(['workspace', 'state'])
    .execute();
  await db.schema
    .createTable('scheduled_draft')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('submission', 'text', (column) =>
      column.primaryKey().references('submission.id').onDelete('cascade'),
    )
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('post', 'text')
    .addColumn('scheduled_at', 'timestamptz')
    .addColumn('zone', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('scheduled_draft_draft')
    .on('scheduled_draft')
    .columns(['workspace', 'project', 'draft'])
    .execute();
  await db.schema
    .createTable('service_pause')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addColumn('probe_at', 'timestamptz', (column) => column.notNull())
    .addColumn('notified_at', 'timestamptz')
    .addPrimaryKeyConstraint('service_pause_key', ['workspace', 'scope'])
    .execute();
}

async function createSubmissionTable(db: Kysely<unknown>): Promise<void> {
  await createDeliveryTable(db, 'submission')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('trigger_id', 'text')
    .addColumn('content', 'text')
    .addColumn('refusal', 'text')
    .addColumn('project', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('lock_key', 'text')
    .addColumn('locked', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('maybe_sent', 'boolean', (column) => column.notNull().defaultTo(false))
    // The number of identical posts in the service before the first attempt.
    .addColumn('baseline', 'integer')
    .addColumn('publish_at', 'timestamptz')
    .addColumn('awaits_publication', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('view_id', 'text')
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .addColumn('notified_at', 'timestamptz')
    .addColumn('summary', 'text')
    // When the purge deletes the row, after it has deleted the content.
    .addColumn('delete_at', 'timestamptz')
    .addColumn('service_id', 'text')
    .addColumn('shared_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('submission_key', ['workspace', 'origin', 'item', 'revision'])
    .execute();
}

async function createSubmissionIndexes(db: Kysely<unknown>): Promise<void> {
  const createIndex = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('submission').columns(columns);
  // The database itself guarantees at most one active submission for each item of a form.
  await createIndex('submission_active', ['workspace', 'origin', 'item'])
    .unique()
    .where(sql.ref('state'), 'in', ACTIVE_STATES)
    .execute();
  // Only one of several identical posts may be in flight at a time. To reconcile an uncertain call, Upnext compares
  // the numbers of identical posts before and after it. With two identical posts in flight, a new post could belong
  // to either call.
  await createIndex('submission_lock', ['lock_key']).unique().where(sql.ref('locked'), '=', true).execute();
  await createDeliveryIndexes(db, 'submission');
  await createIndex('submission_publication', ['publish_at'])
    .where(sql.ref('awaits_publication'), '=', true)
    .where('publish_at', 'is not', null)
    .execute();
  await createIndex('submission_delete_at', ['delete_at'])
    .where(sql.ref('delete_at'), 'is not', null)
    .execute();
  await createIndex('submission_fingerprint', ['fingerprint']).execute();
  await createIndex('submission_service_id', ['workspace', 'service_id']).execute();
  await createIndex('submission_author', ['workspace', 'author', 'created_at']).execute();
  // The outbox and the list of posts read unfinished submissions, of which there are few.
  await createIndex('submission_unfinished', ['workspace', 'project', 'author', 'state'])
    .where(sql.ref('state'), 'not in', FINAL_STATES)
    .execute();
  // The outbox of a manager lists other authors' unfinished submissions in the order of their publishing times.
  await createIndex('submission_unfinished_publish_at', ['workspace', 'publish_at'])
    .where(sql.ref('state'), 'not in', FINAL_STATES)
    .execute();
  // The metrics count active submissions.
  await createIndex('submission_state', ['state']).where(sql.ref('state'), 'in', ACTIVE_STATES).execute();
  // What forms list and suggest: invited people, changes of people, and the platforms of the latest posts.
  await createIndex('submission_confirmed', ['workspace', 'project', 'kind', 'created_at'])
    .where('service_id', 'is not', null)
    .execute();
}

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
