import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** Who waits to be told in this workspace is told now, as are the owners of what was paused because the app was gone. */
export async function tellNow(db: Kysely<BotSchema>, at: { workspace: string; now: Date }): Promise<void> {
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
    .where('paused_why', '=', 'uninstalled')
    .execute();
}
