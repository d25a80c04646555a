import type { Generated } from 'kysely';
import type { AccessTables } from '../access/access.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../store/column-types.ts';
import type { State } from './lifecycle.ts';
import type { StateReason } from './state-copy.ts';

/** The table of submissions. */
export interface SubmissionTable extends DeliveryColumns<State, StateReason> {
  author: string;
  kind: string;
  /** The id of the form or preview. For an edit, the id of the edited submission. */
  origin: string;
  /** The index of the publishing time in the form; 0 if there is none. */
  item: number;
  /** Number of earlier revisions. */
  revision: number;
  /** The form's channel id; null if there is none. */
  channel: string | null;
  /** Encrypted JSON; null after the purge. */
  content: string | null;
  /** Encrypted JSON of the last refusal; null if there is none. */
  refusal: string | null;
  /** The project's id in the service; null if there is no project. */
  project: NullableText;
  /** Keyed hash. Equal submissions of one tenant have the same fingerprint. */
  fingerprint: NullableText;
  /** Keyed hash for the lock; null if the kind needs no lock. See `computeLockKey`. */
  lock_key: NullableText;
  /** Whether the row has the lock. Only one row with the same lock key can have the lock. */
  locked: Generated<boolean>;
  /** Whether any send had an unknown outcome. If so, equal posts are counted before the next send. */
  maybe_sent: Generated<boolean>;
  /** Number of equal posts before the first send; -1 if the count failed. */
  baseline: NullableCount;
  /** Publishing time; null if there is none. Upnext never sends the post after that time. */
  publish_at: NullableTimestamp;
  /** Whether the submission is confirmed, and Upnext hasn't begun to check that its post was published. */
  awaits_publication: Generated<boolean>;
  /** The id of the submission's open view; null if there is none. */
  view_id: NullableText;
  /**
   * The channel of the message that shows the submission; null if there is none. After an edit, the same message shows
   * the next revision.
   */
  message_channel: NullableText;
  /** The ts of the message that shows the submission; null if there is none. */
  message_ts: NullableText;
  /** Time of the author's last notification; null if there was none. */
  notified_at: NullableTimestamp;
  /** Encrypted JSON of the summary, which replaces the content in the purge; null if there is none. */
  summary: NullableText;
  /**
   * When the purge deletes the row. Null before the purge has deleted the content, and for a row with a summary, which
   * stays: nothing else knows the people and prompts in it.
   */
  delete_at: NullableTimestamp;
  /** The service's id for the created object; null if unknown. */
  service_id: NullableText;
  /** When the post was shared in the channel; null if it wasn't shared. */
  shared_at: NullableTimestamp;
  created_at: Timestamp;
}

/** The table of pauses. Until the next probe, paused submissions aren't sent. */
export interface ServicePauseTable {
  workspace: string;
  /** Scope of the pause: one token, or one kind in one project. See `buildPauseScopes`. */
  scope: string;
  /** HTTP status of the refusal; 0 after the pause has ended. */
  status: number;
  since: Timestamp;
  probe_at: Timestamp;
  notified_at: NullableTimestamp;
}

/** The table of scheduled drafts. Each row links a draft to a post created from the draft. */
export interface ScheduledDraftTable {
  workspace: string;
  /** The id of the post's submission. */
  submission: string;
  /** The project's id in the service. */
  project: string;
  /** The draft's id in the service. */
  draft: string;
  /** The post's id in the service; null if unknown. */
  post: NullableText;
  /** Publishing time of the post; null if there is none. */
  scheduled_at: NullableTimestamp;
  /** Time zone of the publishing time; an IANA name. */
  zone: NullableText;
  created_by: string;
  created_at: Timestamp;
}

/** The tables that submissions read or write. */
export interface SubmissionTables extends AccessTables {
  submission: SubmissionTable;
  service_pause: ServicePauseTable;
  scheduled_draft: ScheduledDraftTable;
}
