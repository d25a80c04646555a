/** One request to the app, or one call by the app, with its answer. */
export interface TrafficRecord {
  id: string;
  /** The app's name. */
  app: string;
  direction: 'to-app' | 'from-app';
  /** The start by the workspace's clock, in ms since the epoch. */
  at: number;
  /** Requests: `slash_commands`, `events_api`, `block_actions` and so on. Calls: `Web API`, `response_url`, `upload`. */
  kind: string;
  /** The command, event, action_id, callback_id or method. */
  label: string;
  /** JSON with shortened tokens. */
  payload: string;
  /** JSON with shortened tokens. Undefined without an answer, and for an empty one. */
  answer?: string;
  /** Time until the answer. */
  durationMs?: number;
  outcome: 'waiting' | 'acknowledged' | 'answered' | 'late' | 'failed';
  /** Why it failed, such as `HTTP 500`, `the app is not connected` or `channel_not_found`. */
  reason?: string;
  call?: CallRights;
}

/** The token of a call, and the scopes that it had and needed. */
export interface CallRights {
  /** Undefined without a valid token. */
  token?: 'bot' | 'user' | 'app' | 'step';
  /** Scopes that the method accepts. One is enough. */
  accepted: readonly string[];
  /** Scopes of the token. */
  granted: readonly string[];
}
