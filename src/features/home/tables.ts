import type { Moment } from '../../store/column-types.ts';

/** Who has the Home tab in front of them, and what was published there last. */
export interface HomeTabTable {
  workspace: string;
  person: string;
  /** Slack's; '' where nothing was published yet. */
  hash: string;
  opened_at: Moment;
}
