import type { Timestamp } from '../store/column-types.ts';

/** Requests that have arrived from Slack. `signature` is the one that the app computed. */
export interface SeenRequestTable {
  signature: string;
  expires_at: Timestamp;
}
