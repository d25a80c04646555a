import type { Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

export type CredentialRow = Selectable<BotSchema['credential']>;

/** Keeps it in the place of the one for the same workspace and project. */
export async function saveCredential(db: Kysely<BotSchema>, row: CredentialRow): Promise<void> {
  const { workspace: _workspace, project: _project, ...values } = row;
  await db
    .insertInto('credential')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}

/** The workspace's own first. */
export async function credentialsOf(db: Kysely<BotSchema>, workspace: string): Promise<CredentialRow[]> {
  return db
    .selectFrom('credential')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('project')
    .execute();
}

/** False where it is another workspace's, or gone. */
export async function removeCredential(
  db: Kysely<BotSchema>,
  { id, workspace }: Pick<CredentialRow, 'id' | 'workspace'>,
): Promise<boolean> {
  const result = await db
    .deleteFrom('credential')
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
