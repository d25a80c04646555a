import type { Kysely } from 'kysely';
import { createSetAside } from '../delivery/set-aside.ts';
import { restoreDeliveries } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { OCCURRENCES } from './deliveries.ts';
import { RESTORED } from './kept-marks.ts';
import { makeDue } from './make-due.ts';
import { DIGEST_PACE } from './pace.ts';

/** What a restored backup leaves to be found out. */
interface Restored {
  /** They were due, or on their way, when the backup was made: looked for in their channels. */
  lookedFor: number;
  /** Their time came after the backup was made: their owners are asked or notified. */
  unknown: number;
}

/**
 * After a backup was restored, and before anything is started. What the backup held is looked for by its message's
 * metadata. What came later left none to look for, so its owner is asked.
 */
export async function restoreDigests(db: Kysely<BotSchema>, now: Date): Promise<Restored> {
  const { looking = 0 } = await restoreDeliveries(db, OCCURRENCES, now);
  // What can't be read here is made due by an instance of a newer version.
  const setAside = createSetAside(
    () => now.getTime(),
    () => undefined,
  );
  const at = { db, now: () => now, clock: () => now, pace: DIGEST_PACE, setAside };
  return { lookedFor: looking, unknown: await makeDue(at, RESTORED) };
}
