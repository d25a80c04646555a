import type { RawBuilder } from 'kysely';
import type { DeliveryRow } from './columns.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { NoticeTable } from './sql/notices.ts';

/** What a step may change; the kernel derives everything else from the lifecycle. */
export type Change<Row> = Partial<Omit<Row, Derived>>;

type Derived =
  | 'id'
  | 'workspace'
  | 'state'
  | 'fence'
  | 'lease_until'
  | 'tell_at'
  | 'telling_since'
  | 'tells'
  | 'retained_since'
  | 'changed_at';

/** The deliveries of one domain as they are stored. */
export interface Deliveries<State extends string, Row> {
  table: string;
  lifecycle: Lifecycle<State>;
  /** What else changes in a row that comes into a state. */
  alsoSets?(to: State): Change<Row>;
  restored: {
    /** Rows past their moment, for `past` in the lifecycle. Defaults to none. */
    isPast?(now: Date): RawBuilder<unknown>;
    /** What else changes in rows that a restored backup moves. */
    moved(now: Date): Change<Row>;
    /** What changes in rows that wait for a person and stay in their state. */
    stayed?: Change<Row>;
  };
}

/** One kind of delivery: how it is stored, its steps, and how it differs from others. */
export interface Definition<State extends string, Row extends DeliveryRow> extends Deliveries<State, Row> {
  /** Columns with ids that may be set aside. Defaults to the row's own. */
  asideBy?: readonly string[];
  /** How long a claimed row is left to its instance, ms: longer than a step takes. */
  leaseMs: number;
  /** How long after its lease was asked for a call may still begin, ms: a whole call fits into the rest. */
  beginMs: number;
  /** Between two scans for what other instances have left, ms. */
  scanMs: number;
  /** Rows that this instance has under way at the same time, and how many of them share what `stepsOf` loads. */
  concurrency: number;
  batch: number;
  /** Rows under way at one endpoint at the same time. */
  limit(endpoint: string): number;
  /** Loads what claimed rows share, and answers with the next step of each. */
  stepsOf(rows: readonly Row[]): Promise<(row: Row) => Promise<unknown>>;
  /** Before each scan: what has to be created, or compared; true where rows were. `next` is what `nextBeside` found. */
  prepare?(next: Date | undefined): Promise<boolean>;
  /** When there is something to create next, in a query of its own, and what that is by the clock of leases. */
  nextBeside?: { query(setAside: readonly string[]): RawBuilder<unknown>; onClock(moment: Date): Date };
  notices: {
    /** Where people wait to be notified. */
    tables: readonly NoticeTable[];
    /** Notifications at the same time. */
    max: number;
    /** Claims at most `room` notifications, each to be sent once. */
    claim(room: number): Promise<readonly (() => Promise<void>)[]>;
  };
  /** How long a row is stored as it was after its end, ms. */
  keepMs: number;
  /** What is removed from a row after that. Without it the whole row is deleted. */
  purged?(row: Row): Change<Row>;
  /** What changes elsewhere in the same statement. See `applyTransitions`. */
  beside?: RawBuilder<unknown>;
  /** After a row has come into another state. */
  entered?(row: Row): Promise<void>;
}
