import type { ColumnType, Generated } from 'kysely';
import type { DeliveryColumns } from '../delivery/columns.ts';
import type { State } from './lifecycle.ts';
import type { Why } from './state-cases.ts';

/** A moment: written as a Date, read as a Date, UTC. */
type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
type NullableCount = ColumnType<number | null, number | null | undefined, number | null>;

/** What somebody submitted, how far it has come, and who works on it. */
export interface SubmissionTable extends DeliveryColumns<State, Why> {
  asker: string;
  kind: string;
  /** The id of the form or preview that it came from; of an edit, the id of the submission that was edited. */
  origin: string;
  /** Which of the form's moments; a form with one has 0. */
  item: number;
  /** Rises only after a definite refusal. */
  revision: number;
  /** The channel that the form was opened from. */
  channel: string | null;
  /** Sealed JSON; null 30 days after the end. */
  content: string | null;
  /** Sealed JSON of why the service did not take it; null otherwise. */
  reason: string | null;
  /** The project's id in the service. */
  project: NullableText;
  /** What makes two of a tenant's submissions equal, keyed and hashed. */
  fingerprint: NullableText;
  /** What was locked last while it was sent, keyed and hashed; equal posts of several tenants on one service share it. */
  lock_key: NullableText;
  /** Of the same lock key only one row is locked. */
  locked: Generated<boolean>;
  /** Nobody knew once: before it is sent again, it is looked for. */
  doubted: Generated<boolean>;
  /** How many equal ones the service listed before the first send; -1 where that could not be told. */
  baseline: NullableCount;
  /** Past it, it is never sent. */
  due_at: NullableMoment;
  /** The open view that shows it. */
  view_id: NullableText;
  told_at: NullableMoment;
  /** Sealed JSON of what stays known of it without its content; null otherwise. */
  summary: NullableText;
  /** What the service called it. */
  result: NullableText;
  shared_at: NullableMoment;
  created_at: Moment;
}

/** What the service refuses a workspace: nothing of it is sent until the next probe. */
export interface ServiceHoldTable {
  workspace: string;
  /** Whose token, or the rights for what; held alike is what has the same. */
  scope: string;
  status: number;
  since: Moment;
  probe_at: Moment;
  told_at: NullableMoment;
}

/** What a draft was scheduled as: the post that was made of it. */
export interface DraftCopyTable {
  workspace: string;
  /** What somebody submitted. */
  submission: string;
  /** Ids in the service. */
  project: string;
  draft: string;
  post: NullableText;
  scheduled_at: NullableMoment;
  /** IANA name. */
  zone: NullableText;
  made_by: string;
  made_at: Moment;
}
