import type { Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { dropLeaving, recordReturn } from './left-workspaces.ts';

export type InstallationRow = Selectable<BotSchema['installation']>;

/** Keeps an installation, in the place of an earlier one of the same workspace or organisation: the app is there again. */
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
    await recordReturn(transaction, id);
  });
}

/** The first of these ids (`T…`, `E…`) that the app is installed in. */
export async function installationOf(
  db: Kysely<BotSchema>,
  ids: readonly string[],
): Promise<InstallationRow | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db.selectFrom('installation').selectAll().where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []).at(0);
}

/** By which installation the app is in a workspace. */
export async function installationIn(
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
 * Remembers by which installation the app is in a workspace: it is there, or there again. Every request asks for this
 * now and then, so that nothing is written where it is known already.
 */
export async function rememberWorkspace(
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
    await dropLeaving(transaction, workspace);
  });
}

/** The workspaces that an installation reaches, as far as they were heard of. */
export async function workspacesOf(db: Kysely<BotSchema>, installation: string): Promise<string[]> {
  const rows = await db
    .selectFrom('installed_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** One caller alone may ask for the next token. */
export async function takeRefreshing(
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

/** The next tokens; nothing where the installation has changed meanwhile. */
export async function keepTokens(
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
