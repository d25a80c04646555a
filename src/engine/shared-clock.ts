import type { Kysely } from 'kysely';
import { readDatabaseTime } from '../store/database-clock.ts';
import type { EngineTables } from './tables.ts';

/**
 * The database's clock, computed from this computer's clock and its measured offset. Leases need a shared clock: the
 * clocks of two computers may differ by minutes, and an instance whose clock is ahead would treat valid leases as
 * expired.
 */
interface SharedClock {
  now(): Date;
  /** Measures the offset, at most once a minute. */
  measureOffset(): Promise<void>;
}

const MEASURE_INTERVAL_MS = 60_000;
/** A smaller offset is ignored. It doesn't matter for leases, and may only be network latency. */
const MIN_OFFSET_MS = 500;

/** Maximum duration of a measurement. The error of the offset is up to half of it. */
const MAX_ROUND_TRIP_MS = 1_000;

/** Maximum difference between the shared clocks of two instances. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

export function createSharedClock(
  db: Kysely<EngineTables>,
  readLocalTime: () => number = Date.now,
): SharedClock {
  let offsetMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => new Date(readLocalTime() - offsetMs),
    async measureOffset() {
      const startedAt = readLocalTime();
      if (startedAt - measuredAt < MEASURE_INTERVAL_MS && startedAt >= measuredAt) return;
      const databaseNow = await readDatabaseTime(db);
      const endedAt = readLocalTime();
      const measuredOffsetMs = (startedAt + endedAt) / 2 - databaseNow;
      // The next call repeats a measurement that was too slow.
      const isAccurate = endedAt - startedAt < MAX_ROUND_TRIP_MS;
      if (!isAccurate) return;
      offsetMs = Math.abs(measuredOffsetMs) < MIN_OFFSET_MS ? 0 : measuredOffsetMs;
      measuredAt = endedAt;
    },
  };
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
