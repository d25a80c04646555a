import type { ColumnType, Generated } from 'kysely';
import type { DeliveryColumns } from '../delivery/columns.ts';
import type { State } from './lifecycle.ts';
import type { StateReason } from './state-copy.ts';

/** A moment: written as a Date, read as a Date, UTC. */
type Timestamp = ColumnType<Date, Date, Date>;
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
type NullableCount = ColumnType<number | null, number | null | undefined, number | null>;

/** Submissions with their state. */
export interface SubmissionTable extends DeliveryColumns<State, StateReason> {
  author: string;
  kind: string;
  /** The id of the form or preview; for an edit, the id of the edited submission. */
  origin: string;
  /** Index of the moment in the form; 0 if there is only one. */
  item: number;
  /** Incremented when the author edits a submission that certainly wasn't applied. */
  revision: number;
  /** The channel in which the form was opened. */
  channel: string | null;
  /** Encrypted JSON; null after the purge, 30 days after the end. */
  content: string | null;
  /** Encrypted JSON of the service's refusal; null if there is none. */
  refusal: string | null;
  /** The project's id in the service. */
  project: NullableText;
  /** Keyed hash; the same for equal submissions of one tenant. */
  fingerprint: NullableText;
  /** Keyed hash; the same for equal posts on one service, also of several tenants. Set when the lock is taken. */
  lock_key: NullableText;
  /** Whether the row has the lock. At most one row with the same lock key has it. */
  locked: Generated<boolean>;
  /** Whether the outcome of a send was ever unknown. If so, equal posts are counted before it is sent again. */
  maybe_sent: Generated<boolean>;
  /** Number of equal posts that the service listed before the first send; -1 if it couldn't be counted. */
  baseline: NullableCount;
  /** When the post is to be published. It is never sent after that. */
  publish_at: NullableTimestamp;
  /** The open view that shows the submission. */
  view_id: NullableText;
  /** When the author was last notified of its state. */
  notified_at: NullableTimestamp;
  /** Encrypted JSON of the part of the content that outlives the purge; null if there is none. */
  summary: NullableText;
  /** The id that the service gave it. */
  result: NullableText;
  shared_at: NullableTimestamp;
  created_at: Timestamp;
}

/** Pauses of a workspace: submissions in their scope are not sent until the next probe. */
export interface ServicePauseTable {
  workspace: string;
  /** A token, or the rights for one kind in one project. See `pauseScopes`. */
  scope: string;
  /** HTTP status of the refusal; 0 after the pause has ended. */
  status: number;
  since: Timestamp;
  probe_at: Timestamp;
  notified_at: NullableTimestamp;
}

/** Drafts and the posts that were made of them. */
export interface DraftCopyTable {
  workspace: string;
  /** The id of the submission. */
  submission: string;
  /** Ids in the service. */
  project: string;
  draft: string;
  post: NullableText;
  scheduled_at: NullableTimestamp;
  /** IANA name. */
  zone: NullableText;
  created_by: string;
  created_at: Timestamp;
}
