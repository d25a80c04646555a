import { type Kysely, sql } from 'kysely';

/** Creates the tables for roles, requests for roles, the audit log, and the secrets that all instances share. */
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
    // Null for a request that the app suggested and the person has not sent.
    .addColumn('requested_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('answered_by', 'text')
    .addColumn('answered_at', 'timestamptz')
    .execute();
  const createRequestIndex = (name: string, columns: string[]) =>
    db.schema.createIndex(`access_request_${name}`).on('access_request').columns(columns).execute();
  await createRequestIndex('person', ['workspace', 'person', 'created_at']);
  await createRequestIndex('requested_at', ['workspace', 'requested_at']);
  await createRequestIndex('created_at', ['created_at']);
  await db.schema
    .createTable('shared_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute();
  await createAuditTable(db);
}

async function createAuditTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entry')
    .addColumn('seq', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    // Also the index for searches, which read the newest entries of a workspace.
    .addUniqueConstraint('audit_entry_once', ['workspace', 'at', 'id'])
    .execute();
  // For the deletion of old entries.
  await db.schema.createIndex('audit_entry_at').on('audit_entry').column('at').execute();
  await createAppendOnlyTrigger(db);
}

/**
 * Creates the trigger that refuses changes of the audit log. A row can be deleted only if it is older than the retention
 * period. The search path is fixed, so that a function or operator in another schema can't replace one of Postgres.
 */
async function createAppendOnlyTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`create function audit_log_append_only() returns trigger language plpgsql
    set search_path = pg_catalog, pg_temp as $$ begin
      if tg_op = 'DELETE' and old.at < now() - interval '400 days' then
        return old;
      end if;
      raise exception 'the audit log is append-only';
    end $$`.execute(db);
  await sql`create trigger audit_log_append_only before update or delete on audit_entry
    for each row execute function audit_log_append_only()`.execute(db);
  // TRUNCATE fires no row-level trigger.
  await sql`create trigger audit_log_not_truncated before truncate on audit_entry
    for each statement execute function audit_log_append_only()`.execute(db);
}
