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
  /** The channel in which the form was opened. */
  channel: string | null;
  /** Encrypted JSON; null after the purge. */
  content: string | null;
  /** Encrypted JSON of the service's refusal; null if there is none. */
  refusal: string | null;
  /** The project's id in the service. */
  project: NullableText;
  /** Keyed hash; the same for equal submissions of one tenant. */
  fingerprint: NullableText;
  /** Keyed hash; the same for equal posts of all tenants on one service. Null before the row takes the lock. */
  lock_key: NullableText;
  /** Whether the row has the lock. Of the rows with the same lock key, at most one has the lock. */
  locked: Generated<boolean>;
  /** Whether the outcome of a send was ever unknown. If so, equal posts are counted before the next send. */
  maybe_sent: Generated<boolean>;
  /** Number of equal posts that the service listed before the first send; -1 if they couldn't be counted. */
  baseline: NullableCount;
  /** When the post is to be published. Upnext never sends it after that time. */
  publish_at: NullableTimestamp;
  /** The open view that shows the submission. */
  view_id: NullableText;
  /** When the author was last notified of the row's state. */
  notified_at: NullableTimestamp;
  /** Encrypted JSON of the part of the content that is stored after the purge; null if there is none. */
  summary: NullableText;
  /** The id in the service; null if the kind has none. */
  result: NullableText;
  /** When the post was shared in its channel. */
  shared_at: NullableTimestamp;
  created_at: Timestamp;
}

/** Pauses of a workspace. Submissions in the scope of a pause aren't sent before the next probe. */
export interface ServicePauseTable {
  workspace: string;
  /** A token, or the rights for one kind in one project. See `buildPauseScopes`. */
  scope: string;
  /** HTTP status of the refusal; 0 after the pause has ended. */
  status: number;
  since: Timestamp;
  probe_at: Timestamp;
  notified_at: NullableTimestamp;
}

/** Drafts and the posts that were created from them. */
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
