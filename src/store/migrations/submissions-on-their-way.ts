import { type Kysely, sql } from 'kysely';

/** What is on its way for its person: it may not be there twice for one item of a form. */
const ACTIVE = ['saved', 'sending', 'retryable', 'unknown', 'reconciling', 'needs-person'];
/** What goes on by itself. */
const MOVING = ['saved', 'sending', 'retryable', 'unknown', 'reconciling'];

const COLUMNS = [
  ['why', 'text'],
  ['project', 'text'],
  ['fingerprint', 'text'],
  ['baseline', 'integer'],
  ['lease_until', 'timestamptz'],
  ['next_at', 'timestamptz'],
  ['due_at', 'timestamptz'],
  ['tried_since', 'timestamptz'],
  ['view_id', 'text'],
  ['tell_at', 'timestamptz'],
  ['told_at', 'timestamptz'],
  ['result', 'text'],
] as const;

/** Leases, fencing, counts before the first send, and what is still to be told. */
export async function submissionsOnTheirWay(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('submission')
    .alterColumn('content', (column) => column.dropNotNull())
    .execute();
  for (const [name, type] of COLUMNS)
    await db.schema.alterTable('submission').addColumn(name, type).execute();
  for (const name of ['looks', 'fence']) {
    await db.schema
      .alterTable('submission')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  for (const name of ['locked', 'doubted']) {
    await db.schema
      .alterTable('submission')
      .addColumn(name, 'boolean', (column) => column.notNull().defaultTo(false))
      .execute();
  }
  await takeOver(db);
  await indexes(db);
  await db.schema
    .createTable('workspace_hold')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addColumn('probe_at', 'timestamptz', (column) => column.notNull())
    .addColumn('told_at', 'timestamptz')
    .execute();
  await db.schema
    .createTable('shared_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute();
}

/** What an earlier version left on its way is in its person's hands; what it had told as not sent stays so. */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`update submission set state = 'needs-person', why = 'cannot-tell', tell_at = changed_at
    where state in ('saved', 'sending', 'unknown')`.execute(db);
  await sql`update submission set state = 'refused' where state = 'retryable'`.execute(db);
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('submission_active').execute();
  // Whatever the code above it does: of one form's item, never two that may be on their way.
  await db.schema
    .createIndex('submission_active')
    .unique()
    .on('submission')
    .columns(['workspace', 'origin', 'item'])
    .where(sql.ref('state'), 'in', ACTIVE)
    .execute();
  // Of equal ones in a project, one at a time: a count before and after says nothing else.
  await db.schema
    .createIndex('submission_lock')
    .unique()
    .on('submission')
    .column('fingerprint')
    .where(sql.ref('locked'), '=', true)
    .execute();
  await db.schema
    .createIndex('submission_moving')
    .on('submission')
    .column('next_at')
    .where(sql.ref('state'), 'in', MOVING)
    .execute();
  await db.schema
    .createIndex('submission_telling')
    .on('submission')
    .column('tell_at')
    .where(sql.ref('tell_at'), 'is not', null)
    .execute();
  await db.schema.createIndex('submission_equals').on('submission').columns(['fingerprint']).execute();
  await db.schema
    .createIndex('submission_result')
    .on('submission')
    .columns(['workspace', 'result'])
    .execute();
  await db.schema
    .createIndex('submission_person')
    .on('submission')
    .columns(['workspace', 'asker', 'created_at'])
    .execute();
}
