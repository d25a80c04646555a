/** How the practice Slack can be made to fail. */

interface Always {
  /** The share of the calls that it meets, 0 to 1; 1 unless told. The rules of a list divide one call's luck. */
  share?: number;
  /** Met by so many calls and by no more. */
  times?: number;
}

/** Whether the call does its work before it fails. */
type Commit = 'first' | 'never';

/** `invalid_arguments` says "expired" among its messages. */
export type ExpiredTrigger = 'expired_trigger_id' | 'trigger_expired' | 'invalid_arguments';

export type WebApiRule = Always & {
  /** `chat.postMessage`, or several; {@link RESPONSE_URL} for what is sent to a response_url. Otherwise all. */
  method?: string | readonly string[];
  /** By name or id: only calls with this `channel`. */
  channel?: string;
  /** ms that go by before anything happens. */
  delayMs?: number;
} & (
    | { fault: 'slow'; delayMs: number }
    /** The connection is reset instead of an answer: with `first`, Slack took it and the app cannot know. */
    | { fault: 'cut'; commit: Commit }
    /** No answer ever comes. */
    | { fault: 'hang'; commit: Commit }
    /** An HTTP status without Slack's JSON; `never` unless told. */
    | { fault: 'status'; status: number; commit?: Commit }
    /** HTTP 429. Seconds, or what no app expects. */
    | { fault: 'rate-limited'; retryAfter: number | string }
    /** Slack's own word for it: `channel_not_found`, `hash_conflict`, `internal_error`, …; `never` unless told. */
    | { fault: 'error'; error: string; commit?: Commit }
    /** views.open and views.push, unless other methods are named. */
    | { fault: 'expired-trigger'; spelling: ExpiredTrigger }
  );

export type DeliveryRule = Always & {
  /**
   * Only these: `slash_commands`, `interactive`, `events_api`, or more narrowly an interaction's or event's own type
   * (`view_submission`, `block_actions`, `app_mention`, …). Otherwise all.
   */
  kind?: string | readonly string[];
} /**
 * The same once more, `afterMs` later (at once unless told) and whatever the app answered: in Socket Mode the same
 * envelope, over HTTP signed anew, which is another signature only in another second. `identical`: with the first's
 * timestamp and signature, as Slack's first retry has, which it sends "nearly immediately"
 * (https://docs.slack.dev/apis/events-api/#retries) and signs by whole seconds.
 */ & (
    | { fault: 'duplicate'; afterMs?: number; identical?: boolean }
    /** The app gets it, and its acknowledgement does not come through. */
    | { fault: 'unacknowledged' }
    /** The app never gets it. */
    | { fault: 'lost' }
  );

export interface SlackFaultPlan {
  /** The same seed brings the same luck to the n-th call of each method, and the n-th delivery of each kind. */
  seed?: number;
  webApi?: readonly WebApiRule[];
  deliveries?: readonly DeliveryRule[];
}

/** Stands for a method in {@link WebApiRule}. */
export const RESPONSE_URL = 'response_url';
