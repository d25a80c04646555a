import { type Kysely, sql } from 'kysely';
import { deliveryIndexes, deliveryTable } from './delivery-table.ts';

/** States in which a submission may still reach the service. */
const ACTIVE = ['saved', 'sending', 'retryable', 'unknown', 'reconciling', 'needs-person'];

/** Submissions, the posts made from drafts, and the pauses after refused tokens. */
export async function submissionTables(db: Kysely<unknown>): Promise<void> {
  await submissions(db);
  await submissionIndexes(db);
  await db.schema
    .createTable('draft_copy')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('submission', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('post', 'text')
    .addColumn('scheduled_at', 'timestamptz')
    .addColumn('zone', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('draft_copy_key', ['workspace', 'submission'])
    .execute();
  await db.schema
    .createIndex('draft_copy_draft')
    .on('draft_copy')
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

async function submissions(db: Kysely<unknown>): Promise<void> {
  await deliveryTable(db, 'submission')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('item', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('content', 'text')
    .addColumn('refusal', 'text')
    .addColumn('project', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('lock_key', 'text')
    .addColumn('locked', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('maybe_sent', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('baseline', 'integer')
    .addColumn('publish_at', 'timestamptz')
    .addColumn('view_id', 'text')
    .addColumn('notified_at', 'timestamptz')
    .addColumn('summary', 'text')
    .addColumn('result', 'text')
    .addColumn('shared_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('submission_key', ['workspace', 'origin', 'item', 'revision'])
    .execute();
}

async function submissionIndexes(db: Kysely<unknown>): Promise<void> {
  const on = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('submission').columns(columns);
  // The database itself guarantees one active submission for each item of a form.
  await on('submission_active', ['workspace', 'origin', 'item'])
    .unique()
    .where(sql.ref('state'), 'in', ACTIVE)
    .execute();
  // Only one of several equal posts is in flight at a time; otherwise counting before and after the call proves
  // nothing.
  await on('submission_lock', ['lock_key']).unique().where(sql.ref('locked'), '=', true).execute();
  await on('submission_lock_key', ['lock_key', 'changed_at']).execute();
  await deliveryIndexes(db, 'submission');
  await on('submission_equals', ['fingerprint']).execute();
  await on('submission_result', ['workspace', 'result']).execute();
  await on('submission_person', ['workspace', 'author', 'created_at']).execute();
}
