import type { Generated } from 'kysely';
import type { AccessTables } from '../access/access.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { NullableText, NullableTimestamp, Timestamp } from '../store/column-types.ts';
import type { Reason, State } from './lifecycle.ts';

/** The settings of a digest, its next slot, and data about its last message. */
export interface DigestTable {
  id: string;
  workspace: string;
  /** Channel id, or the user id of the reader of a personal digest. */
  channel: string;
  kind: string;
  /** Project ids in the service, as JSON; null for the projects that the channel is bound to. */
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
  /** Ids of the other Slack organisations that an owner allowed to read it, as JSON; null if no owner has decided. */
  shared_with: NullableText;
  /** User id of the person who created the digest, and who is notified about it. */
  owner: string;
  /** The owner's setting, not a lifecycle state. See `digest_occurrence` for the lifecycle. */
  state: 'on' | 'paused';
  pause_reason: NullableText;
  /** The next slot's instant and date; null while paused. */
  next_at: NullableTimestamp;
  next_date: NullableText;
  /** When the last message was sent. */
  sent_at: NullableTimestamp;
  /** The composer's `snapshot` of the last message, as JSON. It contains no post content. */
  snapshot: NullableText;
  /** When to notify the owner of the pause; null if nothing is pending. */
  notify_at: NullableTimestamp;
  notifying_since: NullableTimestamp;
  notify_attempts: Generated<number>;
  created_at: Timestamp;
  changed_at: Timestamp;
}

/**
 * One occurrence of a digest, and its state. In the state `due`, the column `checks` counts the sends that Slack
 * refused because it hadn't processed the picture. In the state `reconciling`, it counts the searches for the message.
 */
export interface DigestOccurrenceTable extends DeliveryColumns<State, Reason> {
  digest: string;
  /** The scheduled date in the digest's zone (2026-12-01), or the id of a person's request. */
  slot: string;
  channel: string;
  owner: string;
  due_at: Timestamp;
  /** When a person requested the occurrence; null for a scheduled occurrence. */
  requested_at: NullableTimestamp;
  /**
   * Start of the last attempt by `context.now`, not by the shared clock, for comparison with Slack's timestamps.
   */
  sending_at: NullableTimestamp;
  /** The conversation that contains the message: the channel, or the direct message with the reader. */
  conversation: NullableText;
  ts: NullableText;
  /** The picture's file id in Slack; `none` if the message is sent without one. */
  file: NullableText;
  /** The messages that follow the digest (thread and direct messages), as encrypted JSON. */
  follow_ups: NullableText;
  created_at: Timestamp;
}

/** The tables that digests read or write. */
export interface DigestTables extends AccessTables, PreferenceTables {
  digest: DigestTable;
  digest_occurrence: DigestOccurrenceTable;
}
