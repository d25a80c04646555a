import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { DeliveryRow } from './columns.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { CreateNotifier, Notifying } from './notifier.ts';
import type { EngineTables } from './tables.ts';
import type { Verbs } from './verbs.ts';

/** New values of the columns that a step may change. The engine sets all other columns. */
export type Change<Row> = Partial<Omit<Row, ManagedColumn>>;

type ManagedColumn =
  | 'id'
  | 'workspace'
  | 'state'
  | 'fence'
  | 'lease_until'
  | 'notify_at'
  | 'notifying_since'
  | 'notify_attempts'
  | 'retained_since'
  | 'changed_at';

/** The table and lifecycle of a capability. */
export interface Storage<State extends string, Row> {
  table: string;
  lifecycle: Lifecycle<State>;
  /** Returns the id of the row's project. A stop of the project stops the row. Defaults to none. */
  project?(row: Row): string | undefined;
  /** Returns further changes of a row that enters the state `to`. */
  onEntry?(to: State): Change<Row>;
  /** The rows that wait for the end of a stop of sending. Rows without one look again by themselves. */
  stopped?: { state: State; reason: string };
}

/**
 * What is known of a capability without running it: its rows and lifecycle, and what a restored backup and an
 * uninstallation change in them. A capability is one kind of work that the app does on its own.
 */
export interface Capability<
  State extends string = string,
  Row = never,
  Tables extends EngineTables = EngineTables,
> extends Storage<State, Row> {
  /** A plural, such as "submissions". */
  name: string;
  /** The states in which rows are created. */
  initialStates: readonly State[];
  /** Prepares the rows of a restored backup, before any instance starts. `now` is on the database's clock. */
  restore(db: Kysely<Tables>, now: Date): Promise<readonly RestoreCount[]>;
  /** Ends the rows of a workspace from which the app was uninstalled. Can be repeated. */
  endAfterUninstall(
    transaction: Transaction<Tables>,
    uninstall: { workspace: string; now: Date },
  ): Promise<void>;
}

/** The number of rows that a restore changed or created, with a label and an explanation for the operator. */
export interface RestoreCount {
  count: number;
  /** A label, such as "Overdue submissions". */
  label: string;
  /** Tells the operator how these rows are processed once instances start. */
  explanation: string;
}

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
  /**
   * Creates rows at times on the clock that people see. `nextAt` builds a scalar subquery for the earliest, without the
   * rows of `excludedIds`.
   */
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

/** The durations of a definition, with their defaults. */
export function readDurations({ ms }: Pick<Definition<string, never, DeliveryRow>, 'ms'>) {
  const { retention, lease = 60_000, scanInterval = 15_000, maxStartDelay = 0 } = ms;
  return {
    retentionMs: retention,
    leaseMs: lease,
    scanIntervalMs: scanInterval,
    maxStartDelayMs: maxStartDelay,
  };
}

/** The limits of a definition, with their defaults. */
export function readLimits({ limits = {} }: Pick<Definition<string, never, DeliveryRow>, 'limits'>) {
  const { rows = 64, endpoint = 32, batch = 1 } = limits;
  return {
    maxRowsInProgress: rows,
    batchSize: batch,
    getLimit: typeof endpoint === 'number' ? () => endpoint : endpoint,
  };
}
