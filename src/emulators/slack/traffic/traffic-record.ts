/** One request to the app, or one call by the app, with its answer. */
export interface TrafficRecord {
  id: string;
  /** The app's name. */
  app: string;
  direction: 'to-app' | 'from-app';
  /** Its start by the workspace's clock, ms since the epoch. */
  at: number;
  /** To the app: `slash_commands`, `events_api`, `block_actions` and so on. By the app: `Web API`, `response_url`, `upload`. */
  kind: string;
  /** What people recognize it by: a command, an event, an action_id, a method. */
  label: string;
  /** JSON of what was sent, with shortened tokens. */
  payload: string;
  /** JSON of the answer, with shortened tokens. Absent while there is none, and where it was empty. */
  answer?: string;
  /** Until the answer. */
  durationMs?: number;
  outcome: 'waiting' | 'acknowledged' | 'answered' | 'late' | 'failed';
  /** Why it failed: `HTTP 500`, `the app is not connected`, `channel_not_found`. */
  reason?: string;
  call?: CallRights;
}

/** What a call was allowed by. */
export interface CallRights {
  /** Undefined for a call without a valid token. */
  token?: 'bot' | 'user' | 'app' | 'step';
  /** Scopes that the method accepts: any one is enough. */
  accepted: readonly string[];
  /** Scopes of the token. */
  granted: readonly string[];
}
