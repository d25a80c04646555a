import type { RawBuilder } from 'kysely';
import type { Change, Storage } from './capability.ts';
import type { DeliveryRow } from './columns.ts';
import type { Notifier } from './notifier.ts';

/** One kind of delivery: its storage, steps, limits and notifications. */
export interface PollDefinition<State extends string, Row extends DeliveryRow> extends Storage<State, Row> {
  /** Columns to compare with the ids in `Exclusions`. A match excludes the row from claims. Defaults to `id`. */
  exclusionColumns?: readonly string[];
  /** Duration of a lease, ms. A lease must be longer than any step. */
  leaseMs: number;
  /**
   * Maximum time from the request for a lease to the start of a call, ms. The rest of the lease must be long enough for
   * a whole call.
   */
  maxStartDelayMs: number;
  /** Interval between scans for rows that other instances created or abandoned, ms. */
  scanIntervalMs: number;
  /** Maximum number of rows in progress in one instance. */
  maxRowsInProgress: number;
  /** Maximum number of claimed rows in one call of `loadSteps`. */
  batchSize: number;
  /** Returns the maximum number of rows in progress at one endpoint. */
  getLimit(endpoint: string): number;
  /** Loads data for a batch of claimed rows. Resolves with the function that runs the next step of a row. */
  loadSteps(rows: readonly Row[]): Promise<(row: Row) => Promise<unknown>>;
  /** Runs before each scan. A failure doesn't end the scan. */
  beforeScan?(): Promise<unknown>;
  /**
   * Creates due rows before a scan. `next` is the time that `nextCreation` found. Resolves with true if it created or
   * changed rows. The scan then reads the due times again.
   */
  createDueRows?(next: Date | undefined): Promise<boolean>;
  /** Finds the next time at which `createDueRows` has rows to create. */
  nextCreation?: {
    /** Builds a scalar subquery for that time. */
    buildQuery(excludedIds: readonly string[]): RawBuilder<unknown>;
    /** Converts that time from the app's clock to the shared clock, which leases use. */
    toSharedClock(time: Date): Date;
  };
  notifiers: readonly Notifier[];
  /** How long an ended row is stored unchanged, ms. */
  retentionMs: number;
  /**
   * Creates the change that the purge makes to a row after `retentionMs`. By default the purge deletes the row. The table
   * has a column `delete_at`, at which the purge deletes the changed row.
   */
  createPurgeChange?(row: Row, now: Date): Change<Row>;
  /** Runs after a row has entered another state. */
  onEntered?(row: Row): Promise<void>;
}
