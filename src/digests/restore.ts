import { type Kysely, sql } from 'kysely';
import { createSetAside } from '../delivery/set-aside.ts';
import type { BotSchema } from '../store/schema.ts';
import { RESTORED } from './kept-marks.ts';
import { ON_ITS_WAY } from './lifecycle.ts';
import { makeDue } from './make-due.ts';
import { DIGEST_PACE } from './pace.ts';

/** What a restored backup leaves to be found out. */
interface Restored {
  /** They were to come, or on their way, when the backup was made: looked for in their channels. */
  lookedFor: number;
  /** Their time came after the backup was made: nobody knows, and their owners are asked or told. */
  unknown: number;
}

/**
 * After a backup was restored, and before anything is started: what came since may have been posted by the instance
 * that is lost, so nothing of that time is posted by itself. What the backup held is looked for by the mark that its
 * message carries; of what came later there is no mark to look for, so its owner is asked.
 */
export async function markDigestsRestored(db: Kysely<BotSchema>, now: Date): Promise<Restored> {
  const held = await db
    .updateTable('digest_occurrence')
    .set({
      state: 'looking',
      why: RESTORED,
      looks: 0,
      tried_since: now,
      next_at: now,
      lease_until: null,
      sending_at: sql<Date>`coalesce(sending_at, asked_at, due_at)`,
      fence: sql<number>`fence + 1`,
      changed_at: now,
    })
    .where('state', 'in', ON_ITS_WAY)
    .executeTakeFirst();
  // Its thread may stand there already; what it says more is not said twice.
  await db
    .updateTable('digest_occurrence')
    .set({ state: 'posted', afterwards: null, next_at: null, lease_until: null })
    .where('state', '=', 'following-up')
    .execute();
  // What cannot be read here is made due by the instance of a newer version that can.
  const setAside = createSetAside(
    () => now.getTime(),
    () => undefined,
  );
  const at = { db, now: () => now, clock: () => now, pace: DIGEST_PACE, setAside };
  const unknown = await makeDue(at, RESTORED);
  return { lookedFor: Number(held.numUpdatedRows), unknown };
}
