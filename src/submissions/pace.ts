/** Crash points for tests. A crash must never lose a submission or send it twice. */
export type CrashPoint =
  | 'before-row'
  | 'after-row'
  | 'after-acknowledgement'
  | 'after-claim'
  | 'before-sending'
  | 'after-sending'
  | 'before-result'
  | 'after-result'
  | 'before-receipt'
  | 'after-receipt'
  | 'before-view'
  | 'before-message'
  | 'after-message'
  | 'reconciling';

/** Timeouts, intervals and delays. Tests use shorter values. */
export interface Pace {
  /** Maximum time until the acknowledgement, even if the service hasn't responded. Slack's limit is 3 s. */
  acknowledgementTimeoutMs: number;
  /**
   * When the router acknowledges a request that its handler hasn't acknowledged. Slack shows an error if it gets no
   * acknowledgement within 3 s. Leaves 400 ms for the network.
   */
  acknowledgementDeadlineMs: number;
  /** Timeout of a save. After the timeout, a save with a pending INSERT is uncertain. */
  saveMs: number;
  /** Timeout for resolving an uncertain save. After the timeout, the author is notified of the uncertainty. */
  resolveMs: number;
  /** Minimum delay of a view's update after the acknowledgement. An earlier update could arrive in Slack first. */
  afterAcknowledgementMs: number;
  /** How long an acknowledgement waits for what a form only adds, such as posts nearby. After that, it does without. */
  formReadMs: number;
  /** Delay of the note about a slow service in a loading form. */
  slowNoticeDelayMs: number;
  /** Delay of Home's refresh after an action. Actions come in bursts, and often finish shortly after their response. */
  homeRefreshDelayMs: number;
  /** Duration of a lease. Must be longer than any call (15 s). */
  leaseMs: number;
  /** Maximum delay from a lease to a call. The remaining lease must exceed a call (15 s) by one second. */
  maxStartDelayMs: number;
  /** Interval between reads of a row while another request sends the row. */
  rereadIntervalMs: number;
  /** Interval between scans for due rows, including rows of dead instances. */
  scanIntervalMs: number;
  /** Delays before each count of a reconciliation. */
  reconcileDelaysMs: readonly number[];
  /** Backoff between attempts. See `computeFullJitterMs`. */
  retryBackoff: { firstMs: number; maxMs: number };
  /** Maximum duration of retries. */
  giveUpMs: number;
  /** Delay of an attempt while another submission has the lock. */
  lockRetryMs: number;
  /** Interval between probes during a pause. */
  probeIntervalMs: number;
  /** Delay of the author's notification, so that the request can show the result first. */
  notificationDelayMs: number;
  /** Questions to an author that come up within the same period share one message. */
  questionGroupMs: number;
  /** Circuit breaker: number of consecutive failures that open the breaker, and delays before a probe. */
  breaker: { failures: number; firstMs: number; maxMs: number };
  /** Time from the end of a submission to the deletion of its content. */
  retentionMs: number;
  /** Time from then, or from the publishing time if that is later, to the deletion of the submission. */
  rowRetentionMs: number;
  /** Runs at each crash point, in tests only. */
  onCrashPoint?(point: CrashPoint): void | Promise<void>;
}

const HOUR = 60 * 60 * 1000;

export const PACE: Pace = {
  acknowledgementTimeoutMs: 1_800,
  acknowledgementDeadlineMs: 2_600,
  saveMs: 1_000,
  resolveMs: 500,
  afterAcknowledgementMs: 500,
  formReadMs: 600,
  slowNoticeDelayMs: 4_000,
  homeRefreshDelayMs: 150,
  leaseMs: 20_000,
  maxStartDelayMs: 4_000,
  rereadIntervalMs: 150,
  scanIntervalMs: 2_000,
  reconcileDelaysMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  retryBackoff: { firstMs: 2_000, maxMs: 5 * 60_000 },
  giveUpMs: 24 * HOUR,
  lockRetryMs: 1_000,
  probeIntervalMs: 5 * 60_000,
  notificationDelayMs: 15_000,
  questionGroupMs: 5_000,
  breaker: { failures: 5, firstMs: 5_000, maxMs: 60_000 },
  retentionMs: 30 * 24 * HOUR,
  // Lists show who made a post, at least for a year.
  rowRetentionMs: 400 * 24 * HOUR,
};
