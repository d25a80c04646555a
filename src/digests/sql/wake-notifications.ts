import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/**
 * Makes a workspace's pending notifications due now. Also schedules notifications about digests that were paused
 * because the app was uninstalled.
 */
export async function wakeNotifications(
  db: Kysely<BotSchema>,
  { workspace, now }: { workspace: string; now: Date },
): Promise<void> {
  for (const table of ['digest', 'digest_occurrence'] as const) {
    await db
      .updateTable(table)
      .set({ notify_at: now })
      .where('workspace', '=', workspace)
      .where('notify_at', '>', now)
      .execute();
  }
  await db
    .updateTable('digest')
    .set({ notify_at: now, notify_attempts: 0 })
    .where('workspace', '=', workspace)
    .where('state', '=', 'paused')
    .where('pause_reason', '=', 'uninstalled')
    .execute();
}
