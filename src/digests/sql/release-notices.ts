import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/**
 * Makes the pending notices of a workspace due now, and schedules notices about digests that were paused because the app
 * was uninstalled.
 */
export async function releaseNotices(
  db: Kysely<BotSchema>,
  at: { workspace: string; now: Date },
): Promise<void> {
  for (const table of ['digest', 'digest_occurrence'] as const) {
    await db
      .updateTable(table)
      .set({ notify_at: at.now })
      .where('workspace', '=', at.workspace)
      .where('notify_at', '>', at.now)
      .execute();
  }
  await db
    .updateTable('digest')
    .set({ notify_at: at.now, notify_attempts: 0 })
    .where('workspace', '=', at.workspace)
    .where('state', '=', 'paused')
    .where('pause_reason', '=', 'uninstalled')
    .execute();
}
