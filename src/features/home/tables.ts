import type { Timestamp } from '../../store/column-values.ts';

/** The Home tab of each person: when it was last opened, and the hash of the published view. */
export interface HomeTabTable {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
  opened_at: Timestamp;
}

/** The table of this feature. */
export interface HomeTables {
  home_tab: HomeTabTable;
}
