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

/** States before the service has the post. */
const PLANNED_STATES = ['draft', 'awaiting-review', 'held', 'needs-person', 'handed-over'];

/** Creates the tables for held posts, their history and messages, series, and the policies of projects. */
export async function createHeldPostTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('project_policy')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    // Null: posts go to the service right away.
    .addColumn('lead_minutes', 'integer')
    .addColumn('review', 'text', (column) => column.notNull())
    .addColumn('series_review', 'text', (column) => column.notNull().defaultTo('each'))
    .addColumn('review_steps', 'jsonb', (column) => column.notNull())
    .addColumn('stand_ins', 'jsonb', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('owner_override', 'text')
    .addColumn('posting_times', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('blackouts', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_policy_key', ['workspace', 'project'])
    .execute();
  await createDeliveryTable(db, 'held_post')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('series', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('form_version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('content', 'text')
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('publish_at', 'timestamptz')
    .addColumn('hand_over_at', 'timestamptz')
    .addColumn('in_review', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('approver', 'text')
    .addColumn('submission', 'text')
    .addColumn('maybe_sent', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('sent_to', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('held_post_key', ['workspace', 'origin', 'item'])
    .execute();
  await createDeliveryIndexes(db, 'held_post');
  await db.schema
    .createIndex('held_post_project')
    .on('held_post')
    .columns(['workspace', 'project', 'publish_at'])
    .execute();
  await db.schema
    .createIndex('held_post_author')
    .on('held_post')
    .columns(['workspace', 'author', 'created_at'])
    .execute();
  await db.schema
    .createIndex('held_post_submission')
    .on('held_post')
    .columns(['submission'])
    .where('submission', 'is not', null)
    .execute();
  await db.schema
    .createIndex('held_post_hand_over')
    .on('held_post')
    .columns(['hand_over_at'])
    .where('hand_over_at', 'is not', null)
    .execute();
  // Lists read planned posts, of which there are few.
  await db.schema
    .createIndex('held_post_planned')
    .on('held_post')
    .columns(['workspace', 'project', 'state', 'publish_at'])
    .where(sql.ref('state'), 'in', PLANNED_STATES)
    .execute();
  // Lists also read the posts that were delivered in the last minutes, because the service's lists may be older.
  await db.schema
    .createIndex('held_post_delivered')
    .on('held_post')
    .columns(['workspace', 'changed_at'])
    .where(sql.ref('state'), '=', 'delivered')
    .execute();
  // Lists show the service's posts that are parts of one post as that post.
  await db.schema
    .createIndex('held_post_parts')
    .on('held_post')
    .columns(['workspace', 'publish_at'])
    .where(sql.ref('state'), '=', 'delivered')
    .where(sql.ref('sent_to'), 'is not', null)
    .execute();
  // The metrics count planned posts, and find the first one. If this index contained only planned posts, Postgres would
  // prefer it to held_post_planned for one workspace's posts.
  await db.schema.createIndex('held_post_state').on('held_post').columns(['state', 'publish_at']).execute();
  // Posts that were written while their project's service was unknown.
  await db.schema
    .createIndex('held_post_without_endpoint')
    .on('held_post')
    .columns(['workspace', 'project'])
    .where(sql.ref('endpoint'), '=', '')
    .execute();
  await db.schema
    .createTable('held_post_event')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('held_post', 'text', (column) =>
      column.notNull().references('held_post.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('content_hash', 'text')
    .addColumn('step', 'integer')
    .addColumn('by_series', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull().generatedByDefaultAsIdentity())
    .execute();
  await db.schema
    .createIndex('held_post_event_post')
    .on('held_post_event')
    .columns(['held_post', 'position'])
    .execute();
  await db.schema
    .createTable('held_post_message')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('held_post', 'text', (column) =>
      column.notNull().references('held_post.id').onDelete('cascade'),
    )
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text')
    .addColumn('told', 'jsonb', (column) => column.notNull().defaultTo('[]'))
    .addColumn('sent_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('held_post_message_key', ['workspace', 'channel', 'ts', 'held_post'])
    .execute();
  await db.schema
    .createIndex('held_post_message_post')
    .on('held_post_message')
    .columns(['held_post'])
    .execute();
  // The primary key guarantees that no two posts take the same slot, whichever instances they come from.
  await db.schema
    .createTable('held_post_slot')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('slot_at', 'timestamptz', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('reserved_until', 'timestamptz')
    .addPrimaryKeyConstraint('held_post_slot_key', ['workspace', 'project', 'platform', 'slot_at'])
    .execute();
  await db.schema
    .createIndex('held_post_slot_post')
    .on('held_post_slot')
    .columns(['workspace', 'origin', 'item'])
    .execute();
  await createDeliveryTable(db, 'series')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('changed_from', 'integer', (column) => column.notNull())
    .addColumn('ends_before', 'integer')
    .addColumn('is_changed', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('edited_by', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .addColumn('missing_at', 'timestamptz')
    .addColumn('made_until', 'integer', (column) => column.notNull())
    .addColumn('missed', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('series_key', ['workspace', 'origin'])
    .execute();
  await createDeliveryIndexes(db, 'series');
  await db.schema
    .createIndex('series_workspace')
    .on('series')
    .columns(['workspace', 'state', 'created_at'])
    .execute();
}

/** Creates the tables for imports. */
export async function createImportTables(db: Kysely<unknown>): Promise<void> {
  await createDeliveryTable(db, 'post_import')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .addColumn('good', 'integer', (column) => column.notNull())
    .addColumn('equal', 'integer', (column) => column.notNull())
    .addColumn('skipped', 'integer', (column) => column.notNull())
    .addColumn('faulty', 'integer', (column) => column.notNull())
    .addColumn('batches', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('imported', 'integer', (column) => column.notNull())
    .addColumn('undone', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await createDeliveryIndexes(db, 'post_import');
  await db.schema
    .createIndex('post_import_author')
    .on('post_import')
    .columns(['workspace', 'author', 'created_at'])
    .execute();
  await db.schema
    .createTable('post_import_part')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('post_import', 'text', (column) =>
      column.notNull().references('post_import.id').onDelete('cascade'),
    )
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('post_import_part_import')
    .on('post_import_part')
    .column('post_import')
    .execute();
}
