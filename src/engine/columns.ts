import { type ColumnType, type Generated, type Kysely, type Selectable, sql } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../store/column-values.ts';

/** The columns that all tables of deliveries have. Only the code in `src/engine` changes the state of a row. */
export interface DeliveryColumns<State extends string, StateReason extends string> {
  id: string;
  workspace: string;
  /** The destination: a scheduling service or a Slack workspace. Each has a limit for rows in progress. */
  endpoint: Generated<string>;
  state: State;
  /** The state reason; null if the state has none. */
  reason: ColumnType<StateReason | null, StateReason | null | undefined, StateReason | null>;
  /** Fencing token, incremented on every claim. */
  fence: Generated<number>;
  /** End of the lease; null if the row isn't claimed. Other instances can claim the row only after it. */
  lease_until: NullableTimestamp;
  /** When the row is due. Equals `lease_until` for a claimed row; null if the row doesn't wait for Upnext. */
  next_at: NullableTimestamp;
  /** Number of attempts to send the row. */
  attempts: Generated<number>;
  /** Number of checks without a result, e.g. searches after an unknown outcome. The backoff grows with this number. */
  checks: Generated<number>;
  /**
   * Start of the period for retries, or for checks of an unknown outcome. Its length is limited. Null if no such period
   * has started.
   */
  retrying_since: NullableTimestamp;
  /** When to notify somebody of the row's state; null if nothing is pending. */
  notify_at: NullableTimestamp;
  /**
   * When an instance began to send the notification of this state; null if none did. An instance that claims the
   * notification later first checks whether it was sent.
   */
  notifying_since: NullableTimestamp;
  /** Number of notification attempts for this state that were refused or had an unknown outcome. */
  notify_attempts: Generated<number>;
  /**
   * When the delivery ended, which starts its retention. Null before the end and after the purge, which deletes the
   * content.
   */
  retained_since: NullableTimestamp;
  /** When the row entered its state, or when the last attempt ended in the same state. */
  changed_at: Timestamp;
}

export type DeliveryRow<State extends string = string, StateReason extends string = string> = Selectable<
  DeliveryColumns<State, StateReason>
>;

/** Creates a table with the columns of every delivery (`DeliveryColumns`). Each domain adds further columns. */
export function createDeliveryTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'timestamptz')
    .addColumn('next_at', 'timestamptz')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('checks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('retrying_since', 'timestamptz')
    .addColumn('notify_at', 'timestamptz')
    .addColumn('notifying_since', 'timestamptz')
    .addColumn('notify_attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('retained_since', 'timestamptz')
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull());
}

/**
 * Creates the indexes for the queries in src/engine. No index depends on the state, so a new state needs no change
 * here.
 */
export async function createDeliveryIndexes(db: Kysely<unknown>, name: string): Promise<void> {
  const createIndex = (index: string, otherColumns: readonly string[], column: string) =>
    db.schema
      .createIndex(`${name}_${index}`)
      .on(name)
      .columns([...otherColumns, column])
      .where(sql.ref(column), 'is not', null)
      .execute();
  await createIndex('next_by_workspace', ['endpoint', 'workspace'], 'next_at');
  await createIndex('due', [], 'next_at');
  await createIndex('notify', [], 'notify_at');
  await createIndex('retained', [], 'retained_since');
}
