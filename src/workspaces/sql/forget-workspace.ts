import { type Kysely, sql, type Transaction } from 'kysely';
import { lockGrants } from '../../access/access.ts';
import { pauseDigests } from '../../digests/sql/digests.ts';
import { repeatAfterDeadlock } from '../../store/locks.ts';
import { withoutStatementTimeout } from '../../store/statement-timeout.ts';
import type { WorkspaceTables } from '../tables.ts';
import { findInstallation, listWorkspaces, lockInstallation } from './installations.ts';
import { listUninstalledWorkspaces, saveUninstalledWorkspaces } from './uninstalled-workspaces.ts';

/** Ends the deliveries of a workspace that the app has left. */
export type EndDeliveries<Tables = WorkspaceTables> = (
  transaction: Transaction<Tables>,
  uninstall: { workspace: string; now: Date },
) => Promise<void>;

/**
 * Cleans up after the app has left a workspace: deletes its credentials, roles, open forms, files and links, and ends its deliveries.
 * Channel bindings and time zones stay until the retention period ends. So do submissions, without their contents.
 */
export async function forgetWorkspace(
  db: Kysely<WorkspaceTables>,
  workspace: string,
  now: Date,
  endDeliveries: EndDeliveries,
): Promise<void> {
  await runLongTransaction(db, (transaction) => deleteData(transaction, workspace, now, endDeliveries));
}

async function deleteData(
  transaction: Transaction<WorkspaceTables>,
  workspace: string,
  now: Date,
  endDeliveries: EndDeliveries,
): Promise<void> {
  await lockGrants(transaction, workspace);
  await saveUninstalledWorkspaces(transaction, [workspace]);
  for (const table of [
    'credential',
    'open_form',
    'media_file',
    'web_link',
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
}

/**
 * Deletes the installation of a workspace or organisation, and forgets the workspaces that it covers. Returns these
 * workspaces. A repeated call returns the same workspaces. With `uninstalledAt`, does nothing if the app was installed
 * again after that, and returns none.
 */
export function forgetInstallation(
  db: Kysely<WorkspaceTables>,
  id: string,
  now: Date,
  endDeliveries: EndDeliveries,
  uninstalledAt?: Date,
): Promise<readonly string[]> {
  return runLongTransaction(db, async (transaction) => {
    if (await isReinstalled(transaction, id, uninstalledAt)) return [];
    // Workspaces that another installation covers now, such as an organisation-wide one, are not listed.
    const workspaces = await listWorkspaces(transaction, id);
    await saveUninstalledWorkspaces(transaction, [...new Set([id, ...workspaces])], id);
    await transaction.deleteFrom('installation').where('id', '=', id).execute();
    for (const workspace of workspaces) await deleteData(transaction, workspace, now, endDeliveries);
    const uninstalledWorkspaces = await listUninstalledWorkspaces(transaction, id);
    return [...new Set([...workspaces, ...uninstalledWorkspaces])].filter((each) => each.startsWith('T'));
  });
}

/**
 * Handles tokens that Slack has revoked: deletes the tokens and pauses the digests. All other data stays until the
 * retention period ends, so that a new installation can use it. `workspaces` defaults to those of the installation.
 * Returns them, or none if the app was installed again after `uninstalledAt`.
 */
export function deleteRevokedTokens(
  db: Kysely<WorkspaceTables>,
  id: string,
  { now, uninstalledAt, ...given }: { now: Date; uninstalledAt?: Date; workspaces?: readonly string[] },
): Promise<readonly string[]> {
  return runLongTransaction(db, async (transaction) => {
    if (await isReinstalled(transaction, id, uninstalledAt)) return [];
    const workspaces = given.workspaces ?? (await listWorkspaces(transaction, id));
    await saveUninstalledWorkspaces(transaction, [...new Set([id, ...workspaces])], id);
    await transaction.deleteFrom('installation').where('id', '=', id).execute();
    for (const workspace of workspaces) {
      await pauseDigests(transaction, { workspace }, { reason: 'no-access', now });
    }
    return workspaces;
  });
}

/** Whether the app was installed again after `uninstalledAt`. It can't be installed until the transaction ends. */
async function isReinstalled(
  transaction: Transaction<WorkspaceTables>,
  id: string,
  uninstalledAt: Date | undefined,
): Promise<boolean> {
  await lockInstallation(transaction, id);
  if (uninstalledAt === undefined) return false;
  const row = await findInstallation(transaction, [id]);
  return row !== undefined && row.installed_at > uninstalledAt;
}

/** Runs a transaction without a statement timeout, because a workspace may have any number of rows. */
function runLongTransaction<Result>(
  db: Kysely<WorkspaceTables>,
  work: (transaction: Transaction<WorkspaceTables>) => Promise<Result>,
): Promise<Result> {
  return withoutStatementTimeout(() => repeatAfterDeadlock(() => db.transaction().execute(work)));
}
