import type { NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';

/** The kernel's own tables. The database of the app has these and those of all capabilities. */
export interface EngineTables {
  /** Work that is done by a single caller across all instances. See `claimOnce`. */
  once_claim: {
    workspace: string;
    name: string;
    /** When the name may be claimed again; null for never. */
    expires_at: NullableTimestamp;
  };
  /** Stops of sending: of everything, or of one project of a workspace. */
  sending_stop: {
    /** Empty for a stop of all sending. */
    workspace: string;
    /** The project's id in the service; empty for a stop of all sending. */
    project: string;
    reason: string;
    /** The person who stopped the project; null for an operator's stop of all sending. */
    stopped_by: NullableText;
    since: Timestamp;
  };
}
