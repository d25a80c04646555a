import type { ColumnType, Generated, Selectable } from 'kysely';

/** A moment: written as a Date, read as a Date, UTC. */
type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** What every table of deliveries has; the kernel alone writes these. */
export interface DeliveryColumns<State extends string, Why extends string> {
  id: string;
  workspace: string;
  /** Where it goes: a service, or a Slack workspace. Claims of one endpoint are limited. */
  endpoint: Generated<string>;
  state: State;
  /** Which case of its state, e.g. why a person is needed. */
  why: ColumnType<Why | null, Why | null | undefined, Why | null>;
  /** Fencing token, incremented on every claim. */
  fence: Generated<number>;
  /** End of the claim, if there is one; until then no other instance takes the row. */
  lease_until: NullableMoment;
  /** When it goes on, at the latest when its lease ends; null where it waits for nobody of ours. */
  next_at: NullableMoment;
  attempts: Generated<number>;
  /** Looks that found nothing since the outcome is unknown. */
  looks: Generated<number>;
  /** Since when it is tried. */
  tried_since: NullableMoment;
  /** When somebody is to be notified of how it stands; null if nothing is pending. */
  tell_at: NullableMoment;
  /** Since when an instance is notifying of just this state. Whoever finds it begun looks first whether it was said. */
  telling_since: NullableMoment;
  /** Notifications of this state whose outcome is unknown. */
  tells: Generated<number>;
  /** Since when it has ended and is still stored as it was; null before its end, and after the purge. */
  retained_since: NullableMoment;
  /** When it came into its state. */
  changed_at: Moment;
}

export type DeliveryRow<State extends string = string, Why extends string = string> = Selectable<
  DeliveryColumns<State, Why>
>;
