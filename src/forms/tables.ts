import type { Moment } from '../store/column-types.ts';

/** A form that somebody has open: what its opaque id in Slack stands for. */
export interface OpenFormTable {
  id: string;
  workspace: string;
  author: string;
  kind: string;
  /** Sealed JSON of the form's own facts. */
  facts: string;
  opened_at: Moment;
}
