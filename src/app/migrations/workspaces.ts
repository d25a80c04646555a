import type { Kysely } from 'kysely';

/** Creates the tables for installations, uninstallations, and the connections to scheduling services. */
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
