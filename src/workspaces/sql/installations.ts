import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { lockUntilEnd } from '../../store/locks.ts';
import { withoutStatementTimeout } from '../../store/statement-timeout.ts';
import type { WorkspaceTables } from '../tables.ts';
import {
  clearUninstallation,
  clearUninstallationsOfInstallation,
  hasJustLeft,
} from './uninstalled-workspaces.ts';

export type InstallationRow = Selectable<WorkspaceTables['installation']>;

/** Replaces an installation in the same workspace or organisation, and cancels the deletion of its data. */
export async function saveInstallation(
  db: Kysely<WorkspaceTables>,
  row: Omit<InstallationRow, 'refreshing_until'>,
): Promise<void> {
  const { id, ...values } = row;
  // The removal of a large organisation may hold the lock for longer than a statement may take.
  const save = async (transaction: Transaction<WorkspaceTables>) => {
    await lockInstallation(transaction, id);
    await transaction
      .insertInto('installation')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, refreshing_until: null }))
      .execute();
    await clearUninstallationsOfInstallation(transaction, id);
  };
  await withoutStatementTimeout(() => db.transaction().execute(save));
}

/** Locks an installation until the transaction ends, stored or not: a late removal can't delete a newer one. */
export async function lockInstallation(transaction: Transaction<WorkspaceTables>, id: string): Promise<void> {
  await lockUntilEnd(transaction, `installation ${id}`);
}

/** The installation with one of these ids (`T…`, `E…`). If several are installed, the first id wins. */
export async function findInstallation(
  db: Kysely<WorkspaceTables>,
  ids: readonly string[],
): Promise<InstallationRow | undefined> {
  if (ids.length === 0) return undefined;
  const rows = await db.selectFrom('installation').selectAll().where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []).at(0);
}

export async function findInstallationOfWorkspace(
  db: Kysely<WorkspaceTables>,
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
 * Records which installation covers a workspace, and that the app has not left the workspace. Writes only changes,
 * because this runs for many requests. Ignores a request shortly after the app has left: Slack sent it before.
 */
export async function saveInstalledWorkspace(
  db: Kysely<WorkspaceTables>,
  { workspace, installation }: { workspace: string; installation: string },
): Promise<void> {
  const stored = await db
    .selectFrom('installed_workspace')
    .leftJoin('uninstalled_workspace', 'uninstalled_workspace.workspace', 'installed_workspace.workspace')
    .select(['installed_workspace.installation', 'uninstalled_workspace.uninstalled_at'])
    .where('installed_workspace.workspace', '=', workspace)
    .executeTakeFirst();
  if (stored?.installation === installation && stored.uninstalled_at === null) return;
  await db.transaction().execute(async (transaction) => {
    if (await hasJustLeft(transaction, { workspace, installation })) return;
    await transaction
      .insertInto('installed_workspace')
      .values({ workspace, installation, since: sql<Date>`now()` })
      .onConflict((conflict) =>
        conflict.column('workspace').doUpdateSet({ installation, since: sql<Date>`now()` }),
      )
      .execute();
    await clearUninstallation(transaction, workspace);
  });
}

/** The workspaces that an installation covers, since before `until` if given: those that have sent a request. */
export async function listWorkspaces(
  db: Kysely<WorkspaceTables>,
  installation: string,
  until?: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('installed_workspace')
    .select('workspace')
    .where('installation', '=', installation)
    .$if(until !== undefined, (query) => query.where('since', '<=', until ?? new Date(0)))
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** Leases the refresh of an installation's tokens. Returns false while another instance has the lease. */
export async function claimTokenRefresh(
  db: Kysely<WorkspaceTables>,
  { id, now, leaseUntil }: { id: string; now: Date; leaseUntil: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('installation')
    .set({ refreshing_until: leaseUntil })
    .where('id', '=', id)
    .where((row) => row.or([row('refreshing_until', 'is', null), row('refreshing_until', '<=', now)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Replaces `oldTokens` and releases the lease. Does nothing if other tokens are stored by now. */
export async function replaceTokens(
  db: Kysely<WorkspaceTables>,
  change: {
    id: string;
    oldTokens: string;
    tokens: string;
    expiresAt: Date | null;
  },
): Promise<void> {
  const { id, oldTokens, tokens, expiresAt } = change;
  await db
    .updateTable('installation')
    .set({ tokens, expires_at: expiresAt, refreshing_until: null })
    .where(({ and }) => and({ id, tokens: oldTokens }))
    .execute();
}
