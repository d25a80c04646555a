import type { RawBuilder } from 'kysely';
import type { DeliveryRow } from './columns.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { NoticeTable } from './sql/notices.ts';

/** The columns that a step may change. The kernel derives all others from the lifecycle. */
export type Change<Row> = Partial<Omit<Row, Derived>>;

type Derived =
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

/** How the deliveries of one domain are stored. */
export interface Deliveries<State extends string, Row> {
  table: string;
  lifecycle: Lifecycle<State>;
  /** Further changes of a row that enters a state. */
  extraChange?(to: State): Change<Row>;
  restored: {
    /** SQL condition for overdue rows, which take the lifecycle's `past` state. Defaults to none. */
    isPast?(now: Date): RawBuilder<unknown>;
    /** Further changes of rows that a restored backup moves to another state. */
    movedChange(now: Date): Change<Row>;
    /** Changes of rows that wait for a person and stay in their state. */
    stayedChange?: Change<Row>;
  };
}

/** One kind of delivery: its storage, steps, limits and notifications. */
export interface Definition<State extends string, Row extends DeliveryRow> extends Deliveries<State, Row> {
  /** Columns whose ids may be set aside. Defaults to the row's id. */
  setAsideBy?: readonly string[];
  /** Length of a lease, ms. Longer than any step takes. */
  leaseMs: number;
  /** How long after requesting a lease a call may still begin, ms. A whole call must fit into the rest of the lease. */
  beginMs: number;
  /** Interval between scans for rows that other instances created or abandoned, ms. */
  scanMs: number;
  /** Maximum number of rows in progress in this instance. */
  concurrency: number;
  /** Maximum number of claimed rows per call of `loadSteps`. */
  batch: number;
  /** Maximum number of rows in progress at one endpoint. */
  limit(endpoint: string): number;
  /** Loads shared data for a batch of claimed rows. Resolves with the function that runs the next step of each row. */
  loadSteps(rows: readonly Row[]): Promise<(row: Row) => Promise<unknown>>;
  /** Runs before each scan, with the result of `nextPreparation`. Resolves with true if it created rows. */
  prepare?(next: Date | undefined): Promise<boolean>;
  /** When `prepare` has rows to create next: a scalar subquery, and the conversion of its result to the lease clock. */
  nextPreparation?: { query(setAside: readonly string[]): RawBuilder<unknown>; onClock(moment: Date): Date };
  notices: {
    /** Tables with pending notifications. */
    tables: readonly NoticeTable[];
    /** Maximum number of notifications in progress. */
    max: number;
    /** Claims at most `room` notifications. Resolves with the functions that send them; each is called once. */
    claim(room: number): Promise<readonly (() => Promise<void>)[]>;
  };
  /** How long an ended row is stored unchanged, ms. */
  keepMs: number;
  /** What the purge changes in a row after that. Defaults to deleting the row. */
  purgeChange?(row: Row): Change<Row>;
  /** A change of another table in the statement of each transition. See `applyTransitions`. */
  alongside?: RawBuilder<unknown>;
  /** Called after a row has entered another state. */
  onEntered?(row: Row): Promise<void>;
}
