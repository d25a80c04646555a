import type { Timestamp } from '../store/column-types.ts';

/** An open form, or another value that a button in Slack refers to by its opaque id. */
export interface OpenFormTable {
  id: string;
  workspace: string;
  author: string;
  kind: string;
  /** Encrypted JSON. */
  content: string;
  opened_at: Timestamp;
}
