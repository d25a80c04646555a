import { type Kysely, sql } from 'kysely';

/**
 * What the service refuses is held for itself: a project's own token is not the workspace's. A table of its own: while
 * instances are replaced, those of an earlier version go on with theirs.
 */
export async function holdsByScope(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('service_hold')
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addColumn('probe_at', 'timestamptz', (column) => column.notNull())
    .addColumn('told_at', 'timestamptz')
    .addPrimaryKeyConstraint('service_hold_key', ['workspace', 'scope'])
    .execute();
  await sql`insert into service_hold (workspace, scope, status, since, probe_at, told_at)
    select workspace, 'token', status, since, probe_at, told_at from workspace_hold`.execute(db);
}
