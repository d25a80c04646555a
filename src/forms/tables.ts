import type { PreferenceTables } from '../preferences/tables.ts';
import type { Timestamp } from '../store/column-values.ts';
import type { SubmissionTables } from '../submissions/submission.ts';

/**
 * An encrypted value: an open form, or another value, such as posts to schedule again. Views and buttons in Slack refer to it by its
 * opaque id.
 */
export interface OpenFormTable {
  id: string;
  workspace: string;
  author: string;
  kind: string;
  /** Encrypted JSON. */
  content: string;
  opened_at: Timestamp;
  expires_at: Timestamp;
}

/** The tables that forms read or write. */
export interface FormTables extends SubmissionTables, PreferenceTables {
  open_form: OpenFormTable;
}
