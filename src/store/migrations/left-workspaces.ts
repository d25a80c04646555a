import { type Kysely, sql } from 'kysely';

/** When the app has left each workspace. Where it had left before, that counts from now on. */
export async function leftWorkspaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('left_workspace')
    .addColumn('workspace', 'text', (column) => column.primaryKey())
    .addColumn('left_at', 'timestamptz', (column) => column.notNull())
    .addColumn('forgotten_at', 'timestamptz')
    .execute();
  await sql`
    insert into left_workspace (workspace, left_at)
    select workspace, now() from (
      select workspace from channel_project union select workspace from zone union select workspace from digest
      union select workspace from draft_copy union select workspace from submission
      union select workspace from credential union select workspace from access_grant
      union select workspace from record union select workspace from installed_workspace
    ) as known
    where not exists (
      select 1 from installation left join installed_workspace on installation = installation.id
      where installation.id = known.workspace or installed_workspace.workspace = known.workspace
    )`.execute(db);
}
