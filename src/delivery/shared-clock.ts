import type { Kysely } from 'kysely';
import { databaseTime } from '../store/database-clock.ts';
import type { BotSchema } from '../store/schema.ts';

/**
 * Leases of several instances are counted by the database's clock, for their computers' own may differ by minutes: who
 * is ahead would take what another is sending for abandoned.
 */
interface SharedClock {
  now(): Date;
  /** Compares the two clocks, where that was not done lately. */
  compare(): Promise<void>;
}

const COMPARED_MS = 60_000;
/** Less than this matters to no lease, and may be the way to the database. */
const ALIKE_MS = 500;

/** A comparison is off by half of the time that it took. */
const ROUND_TRIP_MS = 1_000;

export function createSharedClock(db: Kysely<BotSchema>, own: () => number = Date.now): SharedClock {
  let ahead = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => new Date(own() - ahead),
    async compare() {
      const asked = own();
      if (asked - comparedAt < COMPARED_MS && asked >= comparedAt) return;
      const there = await databaseTime(db);
      const answered = own();
      const difference = (asked + answered) / 2 - there;
      // An answer that took long says little: it is asked again.
      const isSure = answered - asked < ROUND_TRIP_MS;
      if (!isSure) return;
      ahead = Math.abs(difference) < ALIKE_MS ? 0 : difference;
      comparedAt = answered;
    },
  };
}
