import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { DELIVERY_DOMAINS } from './domains.ts';
import { filterStates } from './lifecycle.ts';
import { stopSending } from './sending-stop.ts';
import { endClaims } from './sql/bulk-transitions.ts';

/**
 * Stops all sending. When this resolves, nothing can become `sending`: as with the stop of a project, all claims end
 * after the stop is committed, so a statement that began before it fails its compare-and-set.
 */
export async function stopAllSending(
  db: Kysely<BotSchema>,
  stop: { reason: string; since: Date },
): Promise<void> {
  await stopSending(db, stop);
  for (const { table, lifecycle } of DELIVERY_DOMAINS) {
    const states = filterStates(lifecycle, ({ waitsFor, nextStates }) => {
      return waitsFor === 'upnext' && nextStates.some((state) => lifecycle[state]?.sends);
    });
    if (states.length > 0)
      await endClaims(db, { table }, { states, where: sql`true`, now: sql<Date>`clock_timestamp()` });
  }
}
