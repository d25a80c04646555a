import type { Kysely, Transaction } from 'kysely';
import type { BotSchema } from './schema.ts';

/** What will not go on once its workspace is gone. */
const NOT_ENDED = ['saved', 'sending', 'retryable', 'unknown', 'reconciling', 'needs-person'];

/**
 * The app is in this workspace no more: its tokens and all that people wrote are removed, and nothing goes on. What
 * channels are about, which zones were chosen, and that something was once submitted stay, without a word of it.
 */
export async function forgetWorkspace(db: Kysely<BotSchema>, workspace: string, at: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of [
      'credential',
      'open_form',
      'home_tab',
      'workspace_hold',
      'service_hold',
      'done_once',
      'access_grant',
      'access_request',
    ] as const) {
      await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
    }
    await stopSubmissions(transaction, workspace, at);
    await transaction
      .updateTable('digest_occurrence')
      .set({ afterwards: null })
      .where('workspace', '=', workspace)
      .execute();
    await transaction.deleteFrom('installed_workspace').where('workspace', '=', workspace).execute();
  });
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
    .where('state', 'in', NOT_ENDED)
    .execute();
  await transaction
    .updateTable('submission')
    .set({ content: null, reason: null, tell_at: null })
    .where('workspace', '=', workspace)
    .execute();
}

/** The tokens of a workspace or organisation. */
export async function forgetInstallation(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db.deleteFrom('installation').where('id', '=', id).execute();
}
