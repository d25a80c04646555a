import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPair } from '../../test/support/postgres-pair.ts';
import { createRandom } from '../../test/support/random.ts';
import { formatSeconds } from './database-faults.ts';
import type { CauseFaults } from './faults.ts';

/** Time of normal work between the return of the standby and the next failover. */
const MIN_QUIET_MS = 10_000;
const MAX_QUIET_MS = 25_000;
/** How long a failover manager may take to notice that the primary is gone. */
const MAX_DETECTION_MS = 8_000;
/** How long the address leads to the standby before its promotion, in every other failover. */
const READ_ONLY_MS = 2_000;
const SECOND_MS = 1_000;

interface FailoverOptions {
  seed: number;
  durationMs: number;
  /** The standby misses all commits of this time before each failover. 0 if replication is synchronous. */
  missedMs: number;
}

/** Kills the primary again and again, promotes its standby, and attaches a new one. */
export function planFailovers(pair: PostgresPair, options: FailoverOptions): CauseFaults {
  return async (world, readiness) => {
    const random = createRandom(options.seed);
    const endsAt = Date.now() + options.durationMs;
    const counts = { 'address moved after promotion': 0, 'address moved before promotion': 0 };
    const pointTo = (url: string) => {
      for (const { proxy } of world.instances) proxy.pointTo(url);
    };
    for (let isMovedBefore = true; Date.now() < endsAt; isMovedBefore = !isMovedBefore) {
      await delay(MIN_QUIET_MS + random.drawInteger(MAX_QUIET_MS - MIN_QUIET_MS));
      if (options.missedMs > 0) {
        pair.cutReplication();
        await delay(options.missedMs);
      }
      readiness.interrupt(world.instances);
      world.addIncident('the primary is killed');
      const killedAt = Date.now();
      await pair.killPrimary();
      await delay(SECOND_MS + random.drawInteger(MAX_DETECTION_MS - SECOND_MS));
      counts[isMovedBefore ? 'address moved before promotion' : 'address moved after promotion'] += 1;
      if (isMovedBefore) {
        pointTo(pair.standbyUrl(world.databaseName, 'postgres'));
        world.addIncident('the address leads to the standby, which is read-only');
        await delay(READ_ONLY_MS);
      }
      await pair.promoteStandby();
      pointTo(world.databaseUrl);
      world.addIncident(`the standby is promoted after ${formatSeconds(Date.now() - killedAt)}`);
      for (const instance of world.instances) readiness.measure(instance);
      await pair.attachStandby();
      world.addIncident('a new standby receives all changes');
    }
    return counts;
  };
}
