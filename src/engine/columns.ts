import type { ColumnType, Generated, Selectable } from 'kysely';
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
  /** Start of the limited period for retries, or for checks of an unknown outcome. Null outside one. */
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
  /** When the delivery ended, which starts its retention. Null before, and after the purge of the content. */
  retained_since: NullableTimestamp;
  /** When the row entered its state, or when the last attempt ended in the same state. */
  changed_at: Timestamp;
}

export type DeliveryRow<State extends string = string, StateReason extends string = string> = Selectable<
  DeliveryColumns<State, StateReason>
>;

/**
 * Builds the statements that create a table with the columns of every delivery (`DeliveryColumns`) and further
 * `columns` (SQL), and the indexes for the queries in src/engine. None depends on the state, so a new state needs none.
 */
export function buildDeliveryTable(name: string, columns: string): string[] {
  return [
    `create table ${name} (
      id text primary key, workspace text not null, endpoint text not null default '', state text not null, reason text,
      fence integer not null default 0, lease_until timestamptz, next_at timestamptz,
      attempts integer not null default 0, checks integer not null default 0, retrying_since timestamptz,
      notify_at timestamptz, notifying_since timestamptz, notify_attempts integer not null default 0,
      retained_since timestamptz, changed_at timestamptz not null, ${columns})`,
    `create index ${name}_next_by_workspace on ${name} (endpoint, workspace, next_at) where next_at is not null`,
    `create index ${name}_due on ${name} (next_at) where next_at is not null`,
    `create index ${name}_notify on ${name} (notify_at) where notify_at is not null`,
    `create index ${name}_retained on ${name} (retained_since) where retained_since is not null`,
  ];
}
