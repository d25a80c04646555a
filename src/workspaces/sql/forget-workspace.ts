import { type Kysely, sql, type Transaction } from 'kysely';
import { lockGrants } from '../../access/access.ts';
import { pauseDigests } from '../../digests/sql/digests.ts';
import { withoutStatementTimeout } from '../../store/statement-timeout.ts';
import type { WorkspaceTables } from '../tables.ts';
import { listWorkspaces } from './installations.ts';
import { listUninstalledWorkspaces, saveUninstalledWorkspaces } from './uninstalled-workspaces.ts';

/** Ends the deliveries of a workspace that the app has left. */
export type EndDeliveries<Tables = WorkspaceTables> = (
  transaction: Transaction<Tables>,
  uninstall: { workspace: string; now: Date },
) => Promise<void>;

/**
 * Cleans up after the app has left a workspace: deletes its credentials, roles and open forms, and ends its deliveries.
 * Channel bindings and time zones stay until the retention period ends. So do submissions, without their contents.
 */
export async function forgetWorkspace(
  db: Kysely<WorkspaceTables>,
  workspace: string,
  now: Date,
  endDeliveries: EndDeliveries,
): Promise<void> {
  await runLongTransaction(db, async (transaction) => {
    await lockGrants(transaction, workspace);
    await saveUninstalledWorkspaces(transaction, [workspace]);
    for (const table of [
      'credential',
      'open_form',
      'home_tab',
      'service_pause',
      'once_claim',
      'access_grant',
      'access_request',
      'project_policy',
    ]) {
      await sql`delete from ${sql.table(table)} where workspace = ${workspace}`.execute(transaction);
    }
    await endDeliveries(transaction, { workspace, now });
    await transaction.deleteFrom('sending_stop').where('workspace', '=', workspace).execute();
    await transaction.deleteFrom('installed_workspace').where('workspace', '=', workspace).execute();
  });
}

/**
 * Deletes the installation of a workspace or organisation, and forgets the workspaces that it covers. Returns these
 * workspaces. A repeated call returns the same workspaces.
 */
export async function forgetInstallation(
  db: Kysely<WorkspaceTables>,
  id: string,
  now: Date,
  endDeliveries: EndDeliveries,
): Promise<readonly string[]> {
  // Workspaces that another installation covers now, such as an organisation-wide one, are not listed.
  const workspaces = await listWorkspaces(db, id);
  await saveUninstalledWorkspaces(db, [...new Set([id, ...workspaces])], id);
  await db.deleteFrom('installation').where('id', '=', id).execute();
  for (const workspace of workspaces) await forgetWorkspace(db, workspace, now, endDeliveries);
  const uninstalledWorkspaces = await listUninstalledWorkspaces(db, id);
  return [...new Set([...workspaces, ...uninstalledWorkspaces])].filter((each) => each.startsWith('T'));
}

/**
 * Handles tokens that Slack has revoked: deletes the tokens and pauses the digests. All other data stays until the
 * retention period ends, so that a new installation can use it.
 */
export async function deleteRevokedTokens(
  db: Kysely<WorkspaceTables>,
  id: string,
  { workspaces, now }: { workspaces: readonly string[]; now: Date },
): Promise<void> {
  await runLongTransaction(db, async (transaction) => {
    await saveUninstalledWorkspaces(transaction, [...new Set([id, ...workspaces])], id);
    await transaction.deleteFrom('installation').where('id', '=', id).execute();
    for (const workspace of workspaces) {
      await pauseDigests(transaction, { workspace }, { reason: 'no-access', pausedAt: now, notifyAt: now });
    }
  });
}

/** Runs a transaction without a statement timeout, because a workspace may have any number of rows. */
function runLongTransaction(
  db: Kysely<WorkspaceTables>,
  work: (transaction: Transaction<WorkspaceTables>) => Promise<void>,
): Promise<void> {
  return withoutStatementTimeout(() => db.transaction().execute(work));
}
