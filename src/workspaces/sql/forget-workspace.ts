import type { Kysely, Transaction } from 'kysely';
import { lockGrants } from '../../access/access.ts';
import { leaveWorkspace } from '../../delivery/sql/bulk-transitions.ts';
import { OCCURRENCES } from '../../digests/deliveries.ts';
import { pauseDigests } from '../../digests/sql/digests.ts';
import type { BotSchema } from '../../store/schema.ts';
import { withoutStatementLimit } from '../../store/statement-limit.ts';
import { SUBMISSIONS } from '../../submissions/deliveries.ts';
import { workspacesOf } from './installations.ts';
import { leftWith, recordLeaving } from './left-workspaces.ts';

/**
 * The app is in this workspace no more: its tokens and all that people wrote are removed, its digests are paused, and
 * its submissions end. Channel bindings, time zones and the bare fact of each submission stay for a while, without their
 * content.
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

/** Nobody is notified: there is no way to. Their owners can resume the digests later. */
async function stopDigests(transaction: Transaction<BotSchema>, workspace: string, at: Date): Promise<void> {
  await pauseDigests(transaction, { workspace }, { reason: 'uninstalled', at, tellAt: null });
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
 * The tokens of a workspace or organisation, and everything of the workspaces that they reach; answers these, also when
 * it is repeated.
 */
export async function forgetInstallation(
  db: Kysely<BotSchema>,
  id: string,
  at: Date,
): Promise<readonly string[]> {
  // Not one that has come under its organisation's meanwhile.
  const workspaces = await workspacesOf(db, id);
  await recordLeaving(db, [...new Set([id, ...workspaces])], id);
  await db.deleteFrom('installation').where('id', '=', id).execute();
  for (const workspace of workspaces) await forgetWorkspace(db, workspace, at);
  const left = await leftWith(db, id);
  return [...new Set([...workspaces, ...left])].filter((each) => each.startsWith('T'));
}

/** Slack has revoked the tokens: they are removed and digests paused. What people wrote stays for a new installation, for
 * a while. */
export async function revokeTokens(
  db: Kysely<BotSchema>,
  id: string,
  { workspaces, at }: { workspaces: readonly string[]; at: Date },
): Promise<void> {
  await longTransaction(db, async (transaction) => {
    await recordLeaving(transaction, [...new Set([id, ...workspaces])], id);
    await transaction.deleteFrom('installation').where('id', '=', id).execute();
    for (const workspace of workspaces) {
      await pauseDigests(transaction, { workspace }, { reason: 'no-access', at, tellAt: at });
    }
  });
}

/** Over as many rows as there are. */
function longTransaction(
  db: Kysely<BotSchema>,
  work: (transaction: Transaction<BotSchema>) => Promise<void>,
): Promise<void> {
  return withoutStatementLimit(() => db.transaction().execute(work));
}
