import type { Generated } from 'kysely';
import type { DeliveryColumns } from '../delivery/columns.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../store/column-types.ts';
import type { State } from './lifecycle.ts';
import type { StateReason } from './state-copy.ts';

/** Submissions. */
export interface SubmissionTable extends DeliveryColumns<State, StateReason> {
  author: string;
  kind: string;
  /** The id of the form or preview; for an edit, the id of the edited submission. */
  origin: string;
  /** Index of the item in the form, which has one item for each publishing time. */
  item: number;
  /** Incremented when the author edits a submission that certainly wasn't applied. */
  revision: number;
  /** The id of the channel in which the form was opened; null if there is none. */
  channel: string | null;
  /** Encrypted JSON; null after the purge. */
  content: string | null;
  /** Encrypted JSON of the service's last refusal; null if there is none. */
  refusal: string | null;
  /** The project's id in the service; null if the submission belongs to no project. */
  project: NullableText;
  /** Keyed hash; the same for equal submissions of one tenant. */
  fingerprint: NullableText;
  /** Keyed hash; the same for equal posts of all tenants on one service. Null before the row takes the lock. */
  lock_key: NullableText;
  /** Whether the row has the lock. At most one row with the same lock key has the lock. */
  locked: Generated<boolean>;
  /** Whether the outcome of a send was ever unknown. If so, equal posts are counted before the next send. */
  maybe_sent: Generated<boolean>;
  /** Number of equal posts that the service listed before the first send; -1 if they couldn't be counted. */
  baseline: NullableCount;
  /** When the post is to be published; null for no publishing time. Upnext never sends the post after that time. */
  publish_at: NullableTimestamp;
  /** The id of the open view that shows the submission; null if there is none. */
  view_id: NullableText;
  /** The channel of the message that shows the submission; null if there is none. An edit continues the message. */
  message_channel: NullableText;
  /** The ts of the message that shows the submission; null if there is none. */
  message_ts: NullableText;
  /** When the author was last notified of the row's state; null if never. */
  notified_at: NullableTimestamp;
  /** Encrypted JSON of the part of the content that is stored after the purge; null if there is none. */
  summary: NullableText;
  /** The submission's id in the service; null before the confirmation, or if the kind has no such id. */
  service_id: NullableText;
  /** When the post was shared in its channel; null if it wasn't shared. */
  shared_at: NullableTimestamp;
  created_at: Timestamp;
}

/** Pauses of a workspace. Submissions in the scope of a pause aren't sent before the next probe. */
export interface ServicePauseTable {
  workspace: string;
  /** What the pause covers: all calls with a token, or one kind in one project. See `buildPauseScopes`. */
  scope: string;
  /** HTTP status of the refusal; 0 after the pause has ended. */
  status: number;
  since: Timestamp;
  probe_at: Timestamp;
  notified_at: NullableTimestamp;
}

/** Scheduled drafts. Each row links a draft to the post that was created from the draft. */
export interface ScheduledDraftTable {
  workspace: string;
  /** The id of the submission that created the post. */
  submission: string;
  /** The project's id in the service. */
  project: string;
  /** The draft's id in the service. */
  draft: string;
  /** The post's id in the service; null if the service didn't return the id. */
  post: NullableText;
  /** When the post is to be published; null if the post has no publishing time. */
  scheduled_at: NullableTimestamp;
  /** The time zone in which the author chose the publishing time; an IANA name. */
  zone: NullableText;
  created_by: string;
  created_at: Timestamp;
}
