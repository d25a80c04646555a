import type { Kysely, Transaction } from 'kysely';
import { lockGrants } from '../../access/access.ts';
import { leaveWorkspace } from '../../delivery/sql/bulk-transitions.ts';
import { OCCURRENCES } from '../../digests/deliveries.ts';
import { pauseDigests } from '../../digests/sql/digests.ts';
import type { BotSchema } from '../../store/schema.ts';
import { withoutStatementLimit } from '../../store/statement-limit.ts';
import { SUBMISSIONS } from '../../submissions/deliveries.ts';
import { workspacesOf } from './installations.ts';
import { recordLeaving, workspacesLeftWith } from './left-workspaces.ts';

/**
 * Carries out that the app has left a workspace: deletes its credentials, roles, open forms and the contents of its
 * submissions, ends the submissions and pauses the digests. Channel bindings, time zones and the submissions without
 * their contents stay until the retention ends.
 */
export async function forgetWorkspace(db: Kysely<BotSchema>, workspace: string, at: Date): Promise<void> {
  await longTransaction(db, async (transaction) => {
    await lockGrants(transaction, workspace);
    await recordLeaving(transaction, [workspace]);
    for (const table of [
      'credential',
      'open_form',
      'home_tab',
      'service_pause',
      'done_once',
      'access_grant',
      'access_request',
    ] as const) {
      await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
    }
    await stopSubmissions(transaction, workspace, at);
    await stopDigests(transaction, workspace, at);
    await transaction.deleteFrom('installed_workspace').where('workspace', '=', workspace).execute();
  });
}

/** Notifies nobody, because the app can no longer send messages there. If it returns, owners can resume the digests. */
async function stopDigests(transaction: Transaction<BotSchema>, workspace: string, at: Date): Promise<void> {
  await pauseDigests(transaction, { workspace }, { reason: 'uninstalled', pausedAt: at, notifyAt: null });
  await transaction
    .updateTable('digest')
    .set({ notify_at: null })
    .where('workspace', '=', workspace)
    .execute();
  await leaveWorkspace(transaction, OCCURRENCES, { workspace, at });
}

async function stopSubmissions(
  transaction: Transaction<BotSchema>,
  workspace: string,
  at: Date,
): Promise<void> {
  await leaveWorkspace(transaction, SUBMISSIONS, { workspace, at });
  await transaction
    .updateTable('submission')
    .set({ content: null, refusal: null })
    .where('workspace', '=', workspace)
    .execute();
}

/**
 * Deletes the installation of a workspace or organisation, and forgets the workspaces that it covers. Returns these
 * workspaces, also if it is called again.
 */
export async function forgetInstallation(
  db: Kysely<BotSchema>,
  id: string,
  at: Date,
): Promise<readonly string[]> {
  // Without the workspaces that another installation, such as their organisation's, covers now.
  const workspaces = await workspacesOf(db, id);
  await recordLeaving(db, [...new Set([id, ...workspaces])], id);
  await db.deleteFrom('installation').where('id', '=', id).execute();
  for (const workspace of workspaces) await forgetWorkspace(db, workspace, at);
  const left = await workspacesLeftWith(db, id);
  return [...new Set([...workspaces, ...left])].filter((each) => each.startsWith('T'));
}

/**
 * Carries out that Slack has revoked the tokens: deletes them and pauses the digests. All other data stays for a new
 * installation until the retention ends.
 */
export async function revokeTokens(
  db: Kysely<BotSchema>,
  id: string,
  { workspaces, at }: { workspaces: readonly string[]; at: Date },
): Promise<void> {
  await longTransaction(db, async (transaction) => {
    await recordLeaving(transaction, [...new Set([id, ...workspaces])], id);
    await transaction.deleteFrom('installation').where('id', '=', id).execute();
    for (const workspace of workspaces) {
      await pauseDigests(transaction, { workspace }, { reason: 'no-access', pausedAt: at, notifyAt: at });
    }
  });
}

/** A transaction without a time limit, because a workspace may have any number of rows. */
function longTransaction(
  db: Kysely<BotSchema>,
  work: (transaction: Transaction<BotSchema>) => Promise<void>,
): Promise<void> {
  return withoutStatementLimit(() => db.transaction().execute(work));
}
