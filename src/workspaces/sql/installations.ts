import type { Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { deleteLeftWorkspace, deleteLeftWorkspacesOf } from './left-workspaces.ts';

export type InstallationRow = Selectable<BotSchema['installation']>;

/** Replaces an earlier installation in the same workspace or organisation, and ends the retention of its workspaces. */
export async function saveInstallation(
  db: Kysely<BotSchema>,
  row: Omit<InstallationRow, 'refreshing_until'>,
): Promise<void> {
  const { id, ...values } = row;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('installation')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, refreshing_until: null }))
      .execute();
    await deleteLeftWorkspacesOf(transaction, id);
  });
}

/** The installation of the first of these ids (`T…`, `E…`) that has one. */
export async function firstInstallation(
  db: Kysely<BotSchema>,
  ids: readonly string[],
): Promise<InstallationRow | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db.selectFrom('installation').selectAll().where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []).at(0);
}

/** The installation that covers a workspace. */
export async function installationOfWorkspace(
  db: Kysely<BotSchema>,
  workspace: string,
): Promise<InstallationRow | undefined> {
  return db
    .selectFrom('installed_workspace')
    .innerJoin('installation', 'installation.id', 'installed_workspace.installation')
    .selectAll('installation')
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/**
 * Stores which installation covers a workspace, and that the app has not left it. Requests call this often, so it
 * writes only changes.
 */
export async function saveInstalledWorkspace(
  db: Kysely<BotSchema>,
  { workspace, installation }: { workspace: string; installation: string },
): Promise<void> {
  const known = await db
    .selectFrom('installed_workspace')
    .leftJoin('left_workspace', 'left_workspace.workspace', 'installed_workspace.workspace')
    .select(['installed_workspace.installation', 'left_workspace.left_at'])
    .where('installed_workspace.workspace', '=', workspace)
    .executeTakeFirst();
  if (known?.installation === installation && known.left_at === null) return;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('installed_workspace')
      .values({ workspace, installation })
      .onConflict((conflict) => conflict.column('workspace').doUpdateSet({ installation }))
      .execute();
    await deleteLeftWorkspace(transaction, workspace);
  });
}

/** The workspaces of an installation from which requests have come. */
export async function workspacesOf(db: Kysely<BotSchema>, installation: string): Promise<string[]> {
  const rows = await db
    .selectFrom('installed_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** Leases the refresh of an installation's tokens until `until`. False while another instance has the lease. */
export async function claimTokenRefresh(
  db: Kysely<BotSchema>,
  { id, at, until }: { id: string; at: Date; until: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('installation')
    .set({ refreshing_until: until })
    .where('id', '=', id)
    .where((row) => row.or([row('refreshing_until', 'is', null), row('refreshing_until', '<=', at)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Replaces the tokens `before` and ends the lease. Does nothing if the tokens have changed meanwhile. */
export async function replaceTokens(
  db: Kysely<BotSchema>,
  next: { id: string; before: string; tokens: string; expiresAt: Date | null },
): Promise<void> {
  await db
    .updateTable('installation')
    .set({ tokens: next.tokens, expires_at: next.expiresAt, refreshing_until: null })
    .where('id', '=', next.id)
    .where('tokens', '=', next.before)
    .execute();
}
