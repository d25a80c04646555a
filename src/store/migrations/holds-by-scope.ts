import type { Kysely } from 'kysely';

/** What the service refuses is held for itself: a project's own token is not the workspace's. */
export async function holdsByScope(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('workspace_hold')
    .addColumn('scope', 'text', (column) => column.notNull().defaultTo('token'))
    .execute();
  await db.schema.alterTable('workspace_hold').dropConstraint('workspace_hold_pkey').execute();
  await db.schema
    .alterTable('workspace_hold')
    .addPrimaryKeyConstraint('workspace_hold_pkey', ['workspace', 'scope'])
    .execute();
}
