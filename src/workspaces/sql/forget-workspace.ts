import type { Kysely, Transaction } from 'kysely';
import { lockGrants } from '../../access/access.ts';
import { NOT_POSTED } from '../../digests/lifecycle.ts';
import { pauseDigests } from '../../digests/sql/digests.ts';
import type { BotSchema } from '../../store/schema.ts';
import { withoutStatementLimit } from '../../store/statement-limit.ts';
import { ACTIVE } from '../../submissions/lifecycle.ts';
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
      'service_hold',
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

/** What was not posted yet is not posted, and nobody is told: there is no way to. Their owners can resume them later. */
async function stopDigests(transaction: Transaction<BotSchema>, workspace: string, at: Date): Promise<void> {
  await pauseDigests(transaction, { workspace }, { why: 'uninstalled', at, tellAt: null });
  await transaction.updateTable('digest').set({ tell_at: null }).where('workspace', '=', workspace).execute();
  await transaction
    .updateTable('digest_occurrence')
    .set((row) => ({
      state: 'paused',
      why: null,
      next_at: null,
      lease_until: null,
      fence: row('fence', '+', 1),
      changed_at: at,
    }))
    .where('workspace', '=', workspace)
    .where('state', 'in', NOT_POSTED)
    .execute();
  await transaction
    .updateTable('digest_occurrence')
    .set((row) => ({ state: 'posted', lease_until: null, fence: row('fence', '+', 1), changed_at: at }))
    .where('workspace', '=', workspace)
    .where('state', '=', 'following-up')
    .execute();
  await transaction
    .updateTable('digest_occurrence')
    .set({ afterwards: null, next_at: null, tell_at: null })
    .where('workspace', '=', workspace)
    .execute();
}

/** Whoever is sending one just now has lost it: the fence has risen. */
async function stopSubmissions(
  transaction: Transaction<BotSchema>,
  workspace: string,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('submission')
    .set((row) => ({
      state: 'discarded',
      why: null,
      changed_at: at,
      locked: false,
      next_at: null,
      lease_until: null,
      fence: row('fence', '+', 1),
    }))
    .where('workspace', '=', workspace)
    .where('state', 'in', ACTIVE)
    .execute();
  await transaction
    .updateTable('submission')
    .set({ content: null, reason: null, tell_at: null })
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
      await pauseDigests(transaction, { workspace }, { why: 'no-access', at, tellAt: at });
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
