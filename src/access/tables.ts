import type { Generated } from 'kysely';
import type { EngineTables } from '../engine/tables.ts';
import type { NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';

export interface AccessTables extends EngineTables {
  access_grant: {
    workspace: string;
    /** `person`, `group` or `members`. */
    subject_kind: string;
    /** Slack's id of the person or user group; '' for all full members. */
    subject: string;
    /** The project's id in the service; '' for the whole workspace. */
    project: string;
    /** A role. For all full members it can also be `none`. */
    role: string;
    /** `given`, `installed` or `claimed`. */
    reason: string;
    granted_by: string;
    granted_at: Timestamp;
  };
  /** Requests for a role. Earlier versions also stored the offers in refusals, which have no `requested_at`. */
  access_request: {
    id: string;
    workspace: string;
    person: string;
    role: string;
    /** The project's id in the service; '' for the whole workspace. */
    project: string;
    /** When the person sent the request. */
    requested_at: NullableTimestamp;
    created_at: Timestamp;
    /** The messages that ask the owners, as JSON. Null until they are sent. */
    messages: NullableText;
    /** The granted role, or `no`. */
    answer: NullableText;
    answered_by: NullableText;
    answered_at: NullableTimestamp;
  };
  /** The audit log. Rows are never changed. They are deleted when they are old, or together with their workspace. */
  audit_entry: {
    workspace: string;
    /** Rises with each row. Numbers can be missing. */
    seq: Generated<string>;
    /** The instance that adds the row chooses it, so that the row is stored once even if it is added again. */
    id: string;
    /** When the entry's event happened. */
    at: Timestamp;
    /** Slack's id of the person. `slack` if Slack did not report who it was. `operator` for a command in a terminal. */
    actor: string;
    /** The project's id in the service; '' if the action is about no project. */
    project: string;
    action: string;
    target: string;
    decision: string;
    /** The reference of the request, as in the log. */
    reference: string;
  };
  /** Secrets that all instances share. */
  shared_secret: {
    name: string;
    /** Encrypted, bound to no workspace. */
    secret: string;
  };
}
