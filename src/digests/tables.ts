import type { ColumnType, Generated } from 'kysely';
import type { DeliveryColumns } from '../delivery/columns.ts';
import type { Reason, State } from './lifecycle.ts';

type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableText = ColumnType<string | null, string | null | undefined, string | null>;

/** The settings of a digest, and when it is due next. */
export interface DigestTable {
  id: string;
  workspace: string;
  /** Channel id, or the user id of the reader of a personal digest. */
  channel: string;
  kind: string;
  /** Project ids in the service, as JSON; null: the projects that the channel is bound to. */
  projects: NullableText;
  /** ISO weekdays: `1,2,3,4,5`. */
  days: string;
  /** Minute of the day on the wall clock of `zone`. */
  minute: number;
  /** IANA name. */
  zone: string;
  /** The chosen sections, as JSON. */
  sections: string;
  silent_when_empty: boolean;
  /** Ids of the other Slack organisations that an owner allowed to read it, as JSON; null: no owner was asked. */
  shared_with: NullableText;
  /** User id of the person who created it and is notified about it. */
  owner: string;
  /** A setting. The lifecycle of deliveries is that of `digest_occurrence`. */
  state: 'on' | 'paused';
  pause_reason: NullableText;
  /** The next slot's instant and date; null while paused. */
  next_at: NullableMoment;
  next_date: NullableText;
  /** When the last message was sent. */
  sent_at: NullableMoment;
  /** JSON that the composer stored with the last message for the next one. It contains no post content. */
  snapshot: NullableText;
  /** When to notify the owner of the pause; null if nothing is pending. */
  notify_at: NullableMoment;
  notifying_since: NullableMoment;
  notify_attempts: Generated<number>;
  created_at: Moment;
  changed_at: Moment;
}

/** One occurrence of a digest, and its state. */
export interface DigestOccurrenceTable extends DeliveryColumns<State, Reason> {
  digest: string;
  /** The scheduled date in the digest's zone (2026-12-01), or the id of a person's request. */
  slot: string;
  channel: string;
  owner: string;
  due_at: Moment;
  /** When a person requested it; null for scheduled ones. */
  requested_at: NullableMoment;
  /** When its last attempt began, by the clock that is compared with Slack's. */
  sending_at: NullableMoment;
  /** The conversation that contains the message: the channel, or the direct message with the reader. */
  conversation: NullableText;
  ts: NullableText;
  /** The picture's file id in Slack; `none` if the message is sent without one. */
  file: NullableText;
  /** The messages that follow it (thread and direct messages), as encrypted JSON. */
  follow_ups: NullableText;
  created_at: Moment;
}
