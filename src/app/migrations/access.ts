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
  await createAuditTables(db);
}

async function createAuditTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entry')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    // The hash of the previous entry.
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_entry_key', ['workspace', 'seq'])
    .addCheckConstraint('audit_entry_hash_is_hmac', sql`hash like 'hmac-sha256:%'`)
    .execute();
  await db.schema
    .createIndex('audit_entry_at')
    .on('audit_entry')
    .columns(['workspace', 'at', 'seq'])
    .execute();
  // The end of each workspace's hash chain. It reveals that the last rows of a chain were deleted.
  await db.schema
    .createTable('audit_head')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  // The last row of each chain that was deleted because of its age. The chain is verified from there.
  await db.schema
    .createTable('audit_checkpoint')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('seal', 'text', (column) => column.notNull())
    .execute();
  await createAppendOnlyTrigger(db);
}

/**
 * Creates the trigger that refuses changes of the audit log. A row can be deleted only if it is older than the retention
 * period, and if its chain has a checkpoint at or after it with the hash of the row of that number. The database can't
 * check the checkpoint's seal; verification does. The search path is fixed, so that nobody can put another table or
 * operator in front.
 */
async function createAppendOnlyTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`do $do$ begin execute format($create$
    create function audit_log_append_only() returns trigger language plpgsql
    set search_path = pg_catalog, %I, pg_temp as $function$ begin
      if tg_op = 'DELETE' then
        if old.at < now() - interval '400 days' and exists (
          select from audit_checkpoint c where c.workspace = old.workspace and (
            (c.seq = old.seq and c.hash = old.hash)
            or (c.seq > old.seq and exists (
              select from audit_entry e where e.workspace = c.workspace and e.seq = c.seq and e.hash = c.hash)))
        ) then
          return old;
        end if;
      end if;
      raise exception 'the audit log is append-only';
    end $function$
    $create$, current_schema()); end $do$`.execute(db);
  await sql`create trigger audit_log_append_only before update or delete on audit_entry
    for each row execute function audit_log_append_only()`.execute(db);
  // TRUNCATE fires no row-level trigger.
  await sql`create trigger audit_log_not_truncated before truncate on audit_entry
    for each statement execute function audit_log_append_only()`.execute(db);
}
