import { type QueryExecutorProvider, sql } from 'kysely';
import { MINUTE_MS, readLocalTime } from '../durations.ts';

/**
 * The only clock of the app. Leases, waits and retention are on the database's time, which all instances share: the
 * clocks of two computers may differ by minutes, and an instance whose clock is ahead would treat valid leases as
 * expired. What people see, such as a publishing time, is on `now`.
 */
export type Clock = ReturnType<typeof createClock>;

const MEASURE_INTERVAL_MS = MINUTE_MS;
/** A smaller offset is ignored. It doesn't matter for leases, and may only be network latency. */
const MIN_OFFSET_MS = 500;
/** Maximum duration of a good measurement. The error of the offset is up to half of it. */
const MAX_ROUND_TRIP_MS = 1_000;

/** Maximum difference between the shared clocks of two instances. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

export function createClock(options: {
  db: QueryExecutorProvider;
  /** How far the time that people see is ahead of the database's, ms. Defaults to 0. */
  getOffsetMs?: () => number;
  /** This computer's clock, ms. */
  readLocalTime?: () => number;
  /** Called for each good measurement. `aheadMs`: how far this computer's clock is ahead of the database's. */
  onMeasured?: (aheadMs: number) => void;
}) {
  const { db, getOffsetMs = () => 0, readLocalTime: readLocal = readLocalTime } = options;
  let databaseOffsetMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  const readShared = () => new Date(readLocal() - databaseOffsetMs);
  return {
    /** The database's time, computed from this computer's clock and its measured offset. */
    readShared,
    /** The time that people see: the database's, and how far the practice workspace is ahead of it. It may jump. */
    now: () => addMs(readShared(), getOffsetMs()),
    /** Converts a time that people see to the database's time. */
    toShared: (time: Date) => addMs(time, -getOffsetMs()),
    /**
     * Measures the offset, at most once a minute. Resolves with false while there is no good measurement: until then
     * nothing may be claimed. Rejects if the database fails.
     */
    async measure(): Promise<boolean> {
      const startedAt = readLocal();
      if (startedAt - measuredAt < MEASURE_INTERVAL_MS && startedAt >= measuredAt) return true;
      const databaseTime = await readDatabaseTime(db);
      const endedAt = readLocal();
      // A slow measurement says little. The earlier one stays, and the next call repeats this one.
      if (endedAt - startedAt >= MAX_ROUND_TRIP_MS || endedAt < startedAt)
        return measuredAt > Number.NEGATIVE_INFINITY;
      const offsetMs = (startedAt + endedAt) / 2 - databaseTime;
      databaseOffsetMs = Math.abs(offsetMs) < MIN_OFFSET_MS ? 0 : offsetMs;
      measuredAt = endedAt;
      options.onMeasured?.(offsetMs);
      return true;
    },
  };
}

export async function readDatabaseTime(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ time: number }>`
    select (extract(epoch from ${DATABASE_TIME}) * 1000)::float8 as time`.execute(db);
  return rows[0]?.time ?? Number.NaN;
}

/** SQL of the database's time, for statements that nothing else times. `now()` is the start of the transaction. */
export const DATABASE_TIME = sql<Date>`clock_timestamp()`;

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
