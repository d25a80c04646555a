import type { ColumnType, Generated, Selectable } from 'kysely';

/** A moment: written as a Date, read as a Date, UTC. */
type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** The columns of every table of deliveries. Only the kernel writes them. */
export interface DeliveryColumns<State extends string, StateReason extends string> {
  id: string;
  workspace: string;
  /** The destination: a service, or a Slack workspace. The number of rows in progress at an endpoint is limited. */
  endpoint: Generated<string>;
  state: State;
  /** The state reason, e.g. why a person is needed. */
  reason: ColumnType<StateReason | null, StateReason | null | undefined, StateReason | null>;
  /** Fencing token, incremented on every claim. */
  fence: Generated<number>;
  /** End of the lease; null if the row isn't claimed. No other instance claims the row before. */
  lease_until: NullableMoment;
  /** When the row is due: for a claimed row, the end of its lease. Null if it doesn't wait for Upnext. */
  next_at: NullableMoment;
  attempts: Generated<number>;
  /** Checks without a result, e.g. since the outcome became unknown. The input of the backoff between them. */
  checks: Generated<number>;
  /** When the attempts began. */
  retrying_since: NullableMoment;
  /** When to notify somebody of the row's state; null if nothing is pending. */
  notify_at: NullableMoment;
  /**
   * When an instance began to notify of this state. If another instance finds it set, it first checks whether the
   * message was sent.
   */
  notifying_since: NullableMoment;
  /** Notifications of this state whose outcome is unknown. */
  notify_attempts: Generated<number>;
  /** When the row ended. Null before its end and after its purge. */
  retained_since: NullableMoment;
  /** When the row entered its state. */
  changed_at: Moment;
}

export type DeliveryRow<State extends string = string, StateReason extends string = string> = Selectable<
  DeliveryColumns<State, StateReason>
>;
