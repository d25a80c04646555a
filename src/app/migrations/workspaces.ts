import { type Kysely, sql } from 'kysely';

export async function createWorkspaceTables(db: Kysely<unknown>): Promise<void> {
  await createInstallationTables(db);
  await createUninstallationTables(db);
  await db.schema
    .createTable('credential')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    // The service's address and token, encrypted.
    .addColumn('connection', 'text', (column) => column.notNull())
    .addColumn('connected_by', 'text', (column) => column.notNull())
    .addColumn('connected_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('credential_key', ['workspace', 'project'])
    .execute();
}

async function createInstallationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addColumn('refreshing_until', 'timestamptz')
    .addColumn('bot_user', 'text', (column) => column.notNull())
    .addColumn('installed_by', 'text', (column) => column.notNull())
    .addColumn('installed_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('installed_workspace')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('installation', 'text', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('installed_workspace_installation')
    .on('installed_workspace')
    .column('installation')
    .execute();
  await db.schema
    .createTable('install_state')
    .addColumn('state', 'text', (column) => column.primaryKey())
    .addColumn('browser_token', 'text', (column) => column.notNull())
    .addColumn('ip_address', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('install_state_expires_at').on('install_state').column('expires_at').execute();
  await db.schema.createIndex('install_state_ip_address').on('install_state').column('ip_address').execute();
}

async function createUninstallationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uninstallation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('installation', 'text', (column) => column.notNull())
    .addColumn('workspaces', 'text', (column) => column.notNull())
    .addColumn('uninstalled_at', 'timestamptz', (column) => column.notNull())
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('uninstalled_workspace')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('uninstalled_at', 'timestamptz', (column) => column.notNull())
    .addColumn('installation', 'text')
    .addColumn('data_deleted_at', 'timestamptz')
    .execute();
  const createIndex = (column: string) =>
    db.schema
      .createIndex(`uninstalled_workspace_${column}`)
      .on('uninstalled_workspace')
      .column(column)
      .execute();
  await createIndex('uninstalled_at');
  await createIndex('installation');
}

/** Creates the tables for the projects of channels, for time zones, and for the notifications that people chose. */
export async function createPreferenceTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_project')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('bound_by', 'text', (column) => column.notNull())
    .addColumn('bound_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_project_key', ['workspace', 'channel', 'project'])
    .execute();
  await db.schema
    .createTable('zone')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('chosen_by', 'text', (column) => column.notNull())
    .addColumn('chosen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('zone_key', ['workspace', 'scope', 'subject'])
    .execute();
  await db.schema
    .createTable('notification_choice')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    // Whether to notify the person when posts go out, and when posts fail or are late.
    .addColumn('published', 'boolean', (column) => column.notNull())
    .addColumn('problems', 'boolean', (column) => column.notNull())
    .addColumn('chosen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_choice_key', ['workspace', 'person'])
    .execute();
}

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
    .addColumn('typed_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('open_form_expires_at').on('open_form').column('expires_at').execute();
  // For the query that finds the oldest forms of a person with too many open forms.
  await db.schema
    .createIndex('open_form_by_author')
    .on('open_form')
    .columns(['workspace', 'author', 'opened_at'])
    .execute();
  // For the forms that are offered to a person who opens the next one.
  await db.schema
    .createIndex('open_form_typed')
    .on('open_form')
    .columns(['workspace', 'author', 'typed_at'])
    .where('typed_at', 'is not', null)
    .execute();
}

/** Creates the tables for files from Slack. Chunks are deleted with their file. */
export async function createMediaTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('media_file')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('slack_file', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer')
    .addColumn('keep_until', 'timestamptz', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('media_file_slack_file')
    .on('media_file')
    .columns(['workspace', 'slack_file'])
    .execute();
  await db.schema.createIndex('media_file_keep_until').on('media_file').column('keep_until').execute();
  await db.schema
    .createTable('media_chunk')
    .addColumn('file', 'text', (column) => column.notNull().references('media_file.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('data', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('media_chunk_key', ['file', 'position'])
    .execute();
  // Encrypted bytes can't be compressed.
  await sql`alter table media_chunk alter column data set storage external`.execute(db);
}
