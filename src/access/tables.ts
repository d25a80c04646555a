import type { Moment, NullableMoment, NullableText } from '../store/column-types.ts';

/** Who was given which role. */
export interface AccessGrantTable {
  workspace: string;
  /** `person`, `group` or `members`. */
  subject_kind: string;
  /** Slack's id; '' for all full members. */
  subject: string;
  /** The project's id in the service; '' for the whole workspace. */
  project: string;
  /** A role; of all full members also `none`. */
  role: string;
  /** `given`, `installed` or `claimed`. */
  why: string;
  granted_by: string;
  granted_at: Moment;
}

/** Somebody asks for a role. */
export interface AccessRequestTable {
  id: string;
  workspace: string;
  person: string;
  role: string;
  /** '' for the whole workspace. */
  project: string;
  /** When the owners were told; null while it is only offered. */
  asked_at: NullableMoment;
  made_at: Moment;
  /** The role that was given, or `no`. */
  answer: NullableText;
  answered_by: NullableText;
  answered_at: NullableMoment;
}

/** What was decided: rows are added and never changed. */
export interface RecordTable {
  workspace: string;
  /** From 1, without a gap. */
  seq: number;
  at: Moment;
  /** Slack's id of the person; '' where nobody asked. */
  who: string;
  project: string;
  action: string;
  target: string;
  decision: string;
  /** The request that it came from, as in the log. */
  reference: string;
  /** The hash of the row before it. */
  previous: string;
  hash: string;
}

export interface RecordHeadTable {
  workspace: string;
  seq: number;
  hash: string;
}

/** Secrets that all instances share, sealed. */
export interface SharedSecretTable {
  name: string;
  /** Sealed; of no workspace. */
  secret: string;
}
