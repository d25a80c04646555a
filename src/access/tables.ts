import type { Moment, NullableMoment, NullableText } from '../store/column-types.ts';

/** Granted roles. */
export interface AccessGrantTable {
  workspace: string;
  /** `person`, `group` or `members`. */
  subject_kind: string;
  /** Slack's id; '' for all full members. */
  subject: string;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  /** A role. For all full members it can also be `none`. */
  role: string;
  /** `given`, `installed` or `claimed`. */
  reason: string;
  granted_by: string;
  granted_at: Moment;
}

/** Requests for a role, and offers to request one. */
export interface AccessRequestTable {
  id: string;
  workspace: string;
  person: string;
  role: string;
  /** '' for the whole workspace. */
  project: string;
  /** When the owners were notified. Null for an offer. */
  requested_at: NullableMoment;
  created_at: Moment;
  /** The granted role, or `no`. */
  answer: NullableText;
  answered_by: NullableText;
  answered_at: NullableMoment;
}

/** The audit record. Rows are only added. */
export interface RecordTable {
  workspace: string;
  /** From 1, without gaps. */
  seq: number;
  at: Moment;
  /** Slack's id of the person; '' for an action of the app itself. */
  actor: string;
  project: string;
  action: string;
  target: string;
  decision: string;
  /** The reference of the request, as in the log. */
  reference: string;
  /** The hash of the previous row. */
  previous: string;
  hash: string;
}

export interface RecordHeadTable {
  workspace: string;
  seq: number;
  hash: string;
}

/** Secrets that all instances share. */
export interface SharedSecretTable {
  name: string;
  /** Encrypted, bound to no workspace. */
  secret: string;
}
