import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { MOVING, PERSONS } from './lifecycle.ts';

/** What a restored backup holds that had not ended when it was made. */
interface Restored {
  /** It may have been sent since. */
  unknown: number;
  /** Its moment has passed: it may have gone out, or not. */
  missed: number;
}

/**
 * After a backup was restored, and before anything is started: nothing of that time is sent by itself. What was not
 * final is unknown, and looked for where that can be done; what is past waits for its person.
 */
export async function markRestored(db: Kysely<BotSchema>, now: Date): Promise<Restored> {
  const all = {
    lease_until: null,
    locked: false,
    fence: sql<number>`fence + 1`,
    changed_at: now,
    telling_since: null,
  };
  return db.transaction().execute(async (transaction) => {
    const missed = await transaction
      .updateTable('submission')
      .set({ ...all, state: 'needs-person', why: 'restored', next_at: null, tell_at: now })
      .where('state', 'in', MOVING)
      .where('due_at', '<=', now)
      .executeTakeFirst();
    const unknown = await transaction
      .updateTable('submission')
      .set({
        ...all,
        state: 'unknown',
        why: 'restored',
        doubted: true,
        looks: 0,
        next_at: now,
        tell_at: null,
      })
      .where('state', 'in', MOVING)
      .executeTakeFirst();
    // What its person had not decided then, or not mended, may have been sent since: before it is sent, it is looked for.
    await transaction
      .updateTable('submission')
      .set({ doubted: true })
      .where('state', 'in', PERSONS)
      .execute();
    return { unknown: Number(unknown.numUpdatedRows), missed: Number(missed.numUpdatedRows) };
  });
}
