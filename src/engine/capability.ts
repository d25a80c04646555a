import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Lifecycle } from './lifecycle.ts';
import type { EngineTables } from './tables.ts';

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

/**
 * The table whose rows own deliveries: in the statement of each transition, the owner of the row enters the state that the
 * rule of the row's new state says.
 */
export interface Owner {
  table: string;
  /** The column with the id of the delivery that decides. */
  delivery: string;
  /** A boolean column: whether the row follows its delivery. */
  follows: string;
  /** Further columns with the values of the delivery. */
  copied: readonly string[];
}

export interface Storage<State extends string, Row> {
  table: string;
  lifecycle: Lifecycle<State>;
  /** Returns the id of the row's project. A stop of the project stops the row. Defaults to none. */
  project?(row: Row): string | undefined;
  /** Returns further changes of a row that enters the state `to`. */
  onEntry?(to: State): Change<Row>;
  /** The rows that wait for the end of a stop of sending. Rows without one look again by themselves. */
  stopped?: { state: State; reason: string };
  /** Defaults to none. */
  owner?: Owner;
  /**
   * SQL: whether a row `t` may enter a sending state in the way that the JSON `v.via` says, see `Verbs.beginSending`. Defaults
   * to true.
   */
  sendingCondition?: RawBuilder<boolean>;
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
  initialStates: readonly State[];
  /** Prepares the rows of a restored backup, before any instance starts. `now` is on the database's clock. */
  restore(db: Kysely<Tables>, now: Date): Promise<readonly RestoreCount[]>;
  /** Runs after the rows of a workspace from which the app was uninstalled have ended. Can be repeated. */
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
