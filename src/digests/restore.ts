import type { Kysely } from 'kysely';
import { createExclusions } from '../delivery/exclusions.ts';
import { restoreDeliveries } from '../delivery/sql/bulk-transitions.ts';
import type { BotSchema } from '../store/schema.ts';
import { createDueOccurrences } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import { RESTORED } from './lasting-reasons.ts';
import { DIGEST_PACE } from './pace.ts';

/** Numbers of occurrences with an unknown outcome after a restored backup. */
interface RestoreCounts {
  /** Occurrences that were due, sending or reconciling in the backup. Their channels are searched for the messages. */
  reconciling: number;
  /** Occurrences that were due after the backup. Their owners are asked or notified. */
  unknown: number;
}

/**
 * Prepares the digests of a restored backup, before the app starts. An occurrence in the backup is reconciled by its
 * id, which the message's metadata contains. The ids of later occurrences are lost, so their owners are asked.
 */
export async function restoreDigests(db: Kysely<BotSchema>, now: Date): Promise<RestoreCounts> {
  const { reconciling = 0 } = await restoreDeliveries(db, OCCURRENCES, now);
  // Occurrences of digests that this version can't read are created later, by an instance that can.
  const exclusions = createExclusions(
    () => now.getTime(),
    () => undefined,
  );
  const context = { db, now: () => now, clock: () => now, pace: DIGEST_PACE, exclusions };
  return { reconciling, unknown: await createDueOccurrences(context, RESTORED) };
}
