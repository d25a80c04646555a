import type { Kysely, Selectable } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';

export type CredentialRow = Selectable<WorkspaceTables['credential']>;

/** Replaces the credential of the same workspace and project. */
export async function saveCredential(db: Kysely<WorkspaceTables>, row: CredentialRow): Promise<void> {
  const { workspace: _workspace, project: _project, ...values } = row;
  await db
    .insertInto('credential')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}

/** The workspace's credential (project '') comes first. */
export async function listCredentials(
  db: Kysely<WorkspaceTables>,
  workspace: string,
): Promise<CredentialRow[]> {
  return db
    .selectFrom('credential')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('project')
    .execute();
}

/** Returns false if the credential no longer exists, or belongs to another workspace. */
export async function removeCredential(
  db: Kysely<WorkspaceTables>,
  { id, workspace }: Pick<CredentialRow, 'id' | 'workspace'>,
): Promise<boolean> {
  const result = await db
    .deleteFrom('credential')
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
