import type { Timestamp } from '../store/column-types.ts';

/** Requests from Slack that have arrived, by the signature that the app computed. */
export interface SeenRequestTable {
  signature: string;
  expires_at: Timestamp;
}
