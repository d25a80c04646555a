import type { RawBuilder } from 'kysely';
import { MINUTE_MS } from '../durations.ts';
import type { Change, Storage } from './capability.ts';
import type { DeliveryRow } from './columns.ts';
import type { CreateNotifier, Notifying } from './notifier.ts';
import type { Verbs } from './verbs.ts';

/** A running capability: what creates its rows, the steps that they take, whom they tell, and how much runs at once. */
export interface Definition<State extends string, Sending extends State, Row extends DeliveryRow> {
  storage: Storage<State, Row>;
  /**
   * Durations, ms. Ended rows are kept for `retention`. A `lease` is longer than any step; defaults to a minute.
   * `scanInterval`: between scans for rows that other instances created or abandoned; defaults to 15 s. `maxStartDelay`:
   * from the request for a lease to the start of a call; the rest of the lease must be long enough for a whole call.
   */
  ms: { retention: number; lease?: number; scanInterval?: number; maxStartDelay?: number };
  /**
   * Maximum number of rows in progress in this instance (defaults to 64) and at one endpoint (defaults to 32), and of rows in
   * one call of `load` (defaults to 1).
   */
  limits?: { rows?: number; endpoint?: number | ((endpoint: string) => number); batch?: number };
  /** Loads what the steps of claimed rows share. Resolves with the function that runs the next step of one row. */
  load(rows: readonly Row[], verbs: Verbs<State, Sending, Row>): Promise<(row: Row) => Promise<unknown>>;
  /** Creates rows at times that people see. `nextAt` builds a scalar subquery for the earliest but `excludedIds`. */
  creation?: { nextAt(excludedIds: readonly string[]): RawBuilder<unknown>; create(): Promise<unknown> };
  /** Runs before each scan. A failure doesn't end the scan. */
  beforeScan?(): Promise<unknown>;
  /**
   * Creates the change that the purge makes to a row after the retention. By default the purge deletes the row. The table
   * has a column `delete_at`, at which the purge deletes the changed row.
   */
  purgeTo?(row: Row, now: Date): Change<Row>;
  /** Runs after a row has entered another state. */
  onEntered?(row: Row): Promise<void>;
  notifying: Notifying<Row>;
  /** Notifiers of other tables, whose notifications this capability sends. */
  otherNotifiers?: readonly CreateNotifier[];
  /** Columns to compare with the ids of excluded rows. Defaults to `id`. */
  exclusionColumns?: readonly string[];
  /** Whether other instances run it, and this one only stores rows. Defaults to false. */
  isIdle?: boolean;
}

export function readDurations({ ms }: Pick<Definition<string, never, DeliveryRow>, 'ms'>) {
  const { retention, lease = MINUTE_MS, scanInterval = 15_000, maxStartDelay = 0 } = ms;
  return {
    retentionMs: retention,
    leaseMs: lease,
    scanIntervalMs: scanInterval,
    maxStartDelayMs: maxStartDelay,
  };
}
