import type { Timestamp } from '../../store/column-types.ts';

/** When each person last opened the Home tab, and the hash of the view that was published there. */
export interface HomeTabTable {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
  opened_at: Timestamp;
}
