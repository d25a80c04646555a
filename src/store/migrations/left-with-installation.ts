import { type Kysely, sql } from 'kysely';

/**
 * With which installation the app left a workspace, so that an organisation's return is that of its workspaces. From
 * now on a return drops the note at once; those that had returned before are dropped here.
 */
export async function leftWithInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('left_workspace').addColumn('installation', 'text').execute();
  await sql`
    delete from left_workspace where exists (
      select 1 from installation left join installed_workspace on installation = installation.id
      where installation.id = left_workspace.workspace or installed_workspace.workspace = left_workspace.workspace
    )`.execute(db);
}
