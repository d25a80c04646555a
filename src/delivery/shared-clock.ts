import type { Kysely } from 'kysely';
import { readDatabaseTime } from '../store/database-clock.ts';
import type { BotSchema } from '../store/schema.ts';

/**
 * The database's clock, computed from this computer's clock and its measured offset. Leases use it because the clocks
 * of several computers may differ by minutes, and an instance whose clock is ahead would treat live leases as expired.
 */
interface SharedClock {
  now(): Date;
  /** Measures the offset, at most once a minute. */
  compare(): Promise<void>;
}

const COMPARE_INTERVAL_MS = 60_000;
/** Smaller differences don't matter for leases and may come from network latency. */
const MIN_DIFFERENCE_MS = 500;

/** The error of a measurement is up to half of its duration. */
const MAX_ROUND_TRIP_MS = 1_000;

export function createSharedClock(db: Kysely<BotSchema>, own: () => number = Date.now): SharedClock {
  let ahead = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => new Date(own() - ahead),
    async compare() {
      const asked = own();
      if (asked - comparedAt < COMPARE_INTERVAL_MS && asked >= comparedAt) return;
      const there = await readDatabaseTime(db);
      const answered = own();
      const difference = (asked + answered) / 2 - there;
      // A slow measurement is too inaccurate and is repeated later.
      const isAccurate = answered - asked < MAX_ROUND_TRIP_MS;
      if (!isAccurate) return;
      ahead = Math.abs(difference) < MIN_DIFFERENCE_MS ? 0 : difference;
      comparedAt = answered;
    },
  };
}
