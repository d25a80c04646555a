import type { NullableTimestamp, Timestamp } from '../store/column-types.ts';

/** Work that is done by a single caller across all instances. See `claimOnce`. */
export interface OnceClaimTable {
  workspace: string;
  name: string;
  /** When the name may be claimed again; null for never. */
  expires_at: NullableTimestamp;
}

/** While this table has a row, nothing is sent. */
export interface SendingStopTable {
  name: string;
  reason: string;
  since: Timestamp;
}
