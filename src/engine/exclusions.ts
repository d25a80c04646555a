import { type RawBuilder, sql } from 'kysely';
import { MINUTE_MS } from '../durations.ts';
import { isDatabaseFailure } from '../store/database-unavailable.ts';

/**
 * Rows that this instance doesn't claim for a while, because it can't read them or their steps keep failing. The rows
 * in the database don't change, so an instance of a newer version can claim them.
 */
export type Exclusions = ReturnType<typeof createExclusions>;

/** Duration of an exclusion. An unreadable row doesn't flood the log, and a repaired one doesn't wait long. */
const EXCLUSION_MS = 5 * MINUTE_MS;

/** Creates an empty list of exclusions. `now` returns ms. `onExcluded` is called each time a row is excluded. */
export function createExclusions(now: () => number, onExcluded: (id: string, error: unknown) => void) {
  const excludedUntil = new Map<string, number>();
  const lastFailures = new Map<string, number>();

  const exclude = (id: string, error: unknown) => {
    if (excludedUntil.has(id)) return;
    excludedUntil.set(id, now() + EXCLUSION_MS);
    onExcluded(id, error);
  };
  return {
    /** Excludes a row that can't be read. For a failed step, use `recordFailure`. */
    exclude,
    /**
     * Records a failed step. Excludes the row after the second failure, because the first may have a temporary cause,
     * such as a broken connection. Ignores failures while the database is down.
     */
    recordFailure(id: string, error: unknown) {
      if (isDatabaseFailure(error)) return;
      for (const [failedId, failedAt] of lastFailures)
        if (now() - failedAt > 2 * EXCLUSION_MS) lastFailures.delete(failedId);
      const isSecond = lastFailures.has(id);
      lastFailures.set(id, now());
      if (isSecond) exclude(id, error);
    },
    listIds(): string[] {
      for (const [id, endsAt] of excludedUntil) if (endsAt <= now()) excludedUntil.delete(id);
      return [...excludedUntil.keys()];
    },
  };
}

/** SQL condition that excludes rows with one of these ids in one of these columns. The ids are one parameter. */
export function excludeIds(columns: readonly string[], ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql`true`;
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} <> all(${ids}::text[])`),
    sql` and `,
  );
}
