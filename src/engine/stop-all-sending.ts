import { type Kysely, sql } from 'kysely';
import type { Capability } from './capability.ts';
import { filterStates } from './lifecycle.ts';
import { stopSending } from './sending-stop.ts';
import { endClaims } from './sql/bulk-transitions.ts';
import type { EngineTables } from './tables.ts';

/**
 * Stops all sending. When this resolves, nothing can become `sending`: as with the stop of a project, all claims end
 * after the stop is committed, so a statement that began before it fails its compare-and-set.
 */
export async function stopAllSending(
  db: Kysely<EngineTables>,
  domains: readonly Pick<Capability, 'table' | 'lifecycle'>[],
  stop: { reason: string; since: Date },
): Promise<void> {
  await stopSending(db, stop);
  for (const { table, lifecycle } of domains) {
    const states = filterStates(lifecycle, ({ waitsFor, nextStates }) => {
      return waitsFor === 'upnext' && nextStates.some((state) => lifecycle[state]?.sends);
    });
    if (states.length > 0)
      await endClaims(db, { table }, { states, where: sql`true`, now: sql<Date>`clock_timestamp()` });
  }
}
