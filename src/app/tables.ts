import type { Moment } from '../store/column-types.ts';

/** A request of Slack's that has come, by the signature that we computed. */
export interface SeenRequestTable {
  signature: string;
  expires_at: Moment;
}
