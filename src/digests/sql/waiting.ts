import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** What of digests waits for its moment, and whom to tell what. */

/** False where some of them are no longer the caller's to tell; the others are until `next`. */
export async function stillToTell(
  db: Kysely<BotSchema>,
  table: 'digest' | 'digest_occurrence',
  { ids, until, next }: { ids: readonly string[]; until: Date; next: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ tell_at: next })
    .where('id', 'in', ids)
    .where('tell_at', '=', until)
    .executeTakeFirst();
  return Number(numUpdatedRows) === ids.length;
}

/**
 * They were told, or are told again at `again`. `may`: they may have been told, which counts; 'not at all' begins the
 * count anew. Where a row is no longer as they were told, it is left alone.
 */
export async function afterTelling(
  db: Kysely<BotSchema>,
  table: 'digest' | 'digest_occurrence',
  told: { ids: readonly string[]; until: Date; again: Date | null; may?: 'have been' | 'not at all' },
): Promise<void> {
  if (told.ids.length === 0) return;
  await db
    .updateTable(table)
    .set((row) => ({
      tell_at: told.again,
      ...(told.may === 'have been' && { tells: row('tells', '+', 1) }),
      ...(told.may === 'not at all' && { tells: 0 }),
    }))
    .where('id', 'in', told.ids)
    .where('tell_at', '=', told.until)
    .execute();
}

/** Who waits to be told in this workspace is told now, as are the owners of what was paused because the app was gone. */
export async function tellNow(db: Kysely<BotSchema>, at: { workspace: string; now: Date }): Promise<void> {
  for (const table of ['digest', 'digest_occurrence'] as const) {
    await db
      .updateTable(table)
      .set({ tell_at: at.now })
      .where('workspace', '=', at.workspace)
      .where('tell_at', '>', at.now)
      .execute();
  }
  await db
    .updateTable('digest')
    .set({ tell_at: at.now, tells: 0 })
    .where('workspace', '=', at.workspace)
    .where('state', '=', 'paused')
    .where('paused_why', '=', 'uninstalled')
    .execute();
}
