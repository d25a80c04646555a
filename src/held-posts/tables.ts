import type { ColumnType, Generated } from 'kysely';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../store/column-types.ts';
import type { SubmissionTables } from '../submissions/tables.ts';
import type { EventKind, MessagePurpose, State, StateReason } from './lifecycle.ts';

/** The table of held posts. `endpoint` is the service for which the post was written, '' while it is unknown. */
export interface HeldPostTable extends DeliveryColumns<State, StateReason> {
  author: string;
  /** The project's id in the service. */
  project: string;
  /** The channel that the form was opened from; null if there is none. */
  channel: NullableText;
  /** The id of the form. */
  origin: string;
  /** The index of the publishing time in the form. */
  item: number;
  /** Incremented by every edit. Starts at 1. */
  version: number;
  /** Encrypted JSON of the submission's content; null after the purge. */
  content: string | null;
  /** Keyed hash of everything that the request to the service would contain. Approvals are bound to it. */
  content_hash: string;
  /** Publishing time; null for a draft without a time. */
  publish_at: NullableTimestamp;
  /** When the post is handed over, unless it waits for a person; null for a draft. On the clock that people see. */
  hand_over_at: NullableTimestamp;
  /** Whether the post goes over only with the approvals of its project's policy. */
  in_review: Generated<boolean>;
  /** The Slack id of a person on whose authority the post may be handed over too; null if only the author's. */
  approver: NullableText;
  /** The id of the submission after the hand-over; null before. */
  submission: NullableText;
  /** Whether the service may have the post already, because a backup was restored. */
  maybe_sent: Generated<boolean>;
  created_at: Timestamp;
}

/** The history of held posts: versions, decisions and comments. Rows are only added. */
export interface HeldPostEventTable {
  id: string;
  workspace: string;
  held_post: string;
  /** The post's version after the event. */
  version: number;
  kind: EventKind;
  /** The Slack id of the person; '' for Upnext. */
  actor: string;
  /** Encrypted JSON: the content of a version, or the text of a comment or of a reason; null if there is none. */
  content: NullableText;
  /** The post's `content_hash` at the time of the event. */
  content_hash: NullableText;
  /** The review step of a decision, from 0. */
  step: NullableCount;
  /** On the clock that people see, which may be set back. */
  at: Timestamp;
  /** The order of the events. */
  position: Generated<string>;
}

/** The messages that show held posts, and change with them. */
export interface HeldPostMessageTable {
  workspace: string;
  held_post: string;
  channel: string;
  ts: string;
  purpose: MessagePurpose;
  /** The Slack id of the person or the channel that was notified; null for review requests and shared messages. */
  recipient: NullableText;
  /** Keys of what the message told, e.g. the ids of events, so that nobody is told twice. JSON. */
  told: ColumnType<readonly string[], string | undefined, string>;
  /** On the shared clock. */
  sent_at: Timestamp;
}

/** The tables that held posts read or write. */
export interface HeldPostTables extends SubmissionTables, PreferenceTables {
  held_post: HeldPostTable;
  held_post_event: HeldPostEventTable;
  held_post_message: HeldPostMessageTable;
}
