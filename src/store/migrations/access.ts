import { type Kysely, sql } from 'kysely';

/** Creates the tables for roles, requests for roles, the audit record, and the secrets that all instances share. */
export async function createAccessTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_grant')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('subject_kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('granted_by', 'text', (column) => column.notNull())
    .addColumn('granted_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('access_grant_key', ['workspace', 'subject_kind', 'subject', 'project'])
    .execute();
  await db.schema
    .createTable('access_request')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('answered_by', 'text')
    .addColumn('answered_at', 'timestamptz')
    .execute();
  await db.schema
    .createTable('shared_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute();
  await createRecordTables(db);
}

async function createRecordTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('record')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('record_key', ['workspace', 'seq'])
    .addCheckConstraint('record_is_keyed', sql`hash like 'hmac-sha256:%'`)
    .execute();
  // The end of each workspace's hash chain. It reveals that the last rows of a chain were deleted.
  await db.schema
    .createTable('record_head')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await sql`create function record_only_grows() returns trigger language plpgsql as
    $$ begin raise exception 'the record only grows'; end $$`.execute(db);
  await sql`create trigger record_only_grows before update or delete on record
    for each row execute function record_only_grows()`.execute(db);
  // TRUNCATE fires no row-level trigger.
  await sql`create trigger record_not_truncated before truncate on record
    for each statement execute function record_only_grows()`.execute(db);
}
