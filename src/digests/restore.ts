import type { Kysely } from 'kysely';
import { createExclusions } from '../delivery/exclusions.ts';
import { restoreDeliveries } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { createDueOccurrences } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import { RESTORED } from './lasting-reasons.ts';
import { DIGEST_PACE } from './pace.ts';

/** Numbers of occurrences whose outcome is unknown after a restored backup. */
interface Restored {
  /** Due or sending when the backup was made. Their channels are searched for the messages. */
  reconciling: number;
  /** Due after the backup was made. Their owners are asked or notified. */
  unknown: number;
}

/**
 * Runs after a backup was restored and before the app starts. Occurrences in the backup are reconciled by their id in the
 * message's metadata. Later ones had ids that the backup doesn't contain, so their owners are asked.
 */
export async function restoreDigests(db: Kysely<BotSchema>, now: Date): Promise<Restored> {
  const { reconciling = 0 } = await restoreDeliveries(db, OCCURRENCES, now);
  // Occurrences of digests that this version can't read are created later, by an instance that can.
  const exclusions = createExclusions(
    () => now.getTime(),
    () => undefined,
  );
  const at = { db, now: () => now, clock: () => now, pace: DIGEST_PACE, exclusions };
  return { reconciling, unknown: await createDueOccurrences(at, RESTORED) };
}
