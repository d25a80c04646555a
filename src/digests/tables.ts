import type { ColumnType, Generated } from 'kysely';
import type { DeliveryColumns } from '../delivery/columns.ts';
import type { State, Why } from './lifecycle.ts';

type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableText = ColumnType<string | null, string | null | undefined, string | null>;

/** Where and when a channel or a person gets a digest, and of what. */
export interface DigestTable {
  id: string;
  workspace: string;
  /** Of a personal one the person's id. */
  channel: string;
  kind: string;
  /** JSON of the projects' ids in the service; null: those that the channel is about. */
  projects: NullableText;
  /** ISO weekdays: `1,2,3,4,5`. */
  days: string;
  /** Of the local day, on the wall. */
  minute: number;
  /** IANA name. */
  zone: string;
  /** JSON of what it shows. */
  shows: string;
  silent_when_empty: boolean;
  /** JSON of Slack's ids of the organisations that an owner lets read it; null: of none. */
  shared_with: NullableText;
  /** Who made it, and is told of it. */
  owner: string;
  /** A setting, and no delivery's lifecycle: each time that it comes has one of its own. */
  state: 'on' | 'paused';
  paused_why: NullableText;
  /** When it comes next, and the local date that is meant; null while it is paused. */
  next_at: NullableMoment;
  next_date: NullableText;
  /** When the last one was posted. */
  posted_at: NullableMoment;
  /** JSON of whoever composed the last one, for the next; nothing of what posts say. */
  memory: NullableText;
  /** When its owner is to be told that it is paused. */
  notify_at: NullableMoment;
  notifying_since: NullableMoment;
  notify_attempts: Generated<number>;
  made_at: Moment;
  changed_at: Moment;
}

/** One time that a digest comes, and how far it has come. */
export interface DigestOccurrenceTable extends DeliveryColumns<State, Why> {
  digest: string;
  /** The local date that is meant (2026-12-01), or what asked for it. */
  slot: string;
  channel: string;
  owner: string;
  due_at: Moment;
  /** When somebody asked for it to be posted, if anybody did. */
  asked_at: NullableMoment;
  /** When it began to be sent last, by the clock that Slack's is compared with. */
  sending_at: NullableMoment;
  /** Where it stands: the channel, or the direct message with the person. */
  conversation: NullableText;
  ts: NullableText;
  /** The picture's id in Slack; `none` where it goes without. */
  file: NullableText;
  /** Sealed JSON of what follows it: its thread, and direct messages. */
  afterwards: NullableText;
  made_at: Moment;
}
