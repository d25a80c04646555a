/** Points at which tests stop the process. A stop must never lose a submission or send it twice. */
export type CrashPoint =
  | 'before-row'
  | 'after-row'
  | 'after-acknowledgement'
  | 'after-claim'
  | 'before-sending'
  | 'after-sending'
  | 'before-result'
  | 'after-result'
  | 'before-view'
  | 'before-message'
  | 'reconciling';

/** Timeouts and intervals. Tests use shorter values. */
export interface Pace {
  /** Maximum time until the acknowledgement, even without a response from the service. Slack waits 3 s. */
  answerMs: number;
  /** Timeout of a save. If its INSERT has begun by then, the save is uncertain. */
  saveMs: number;
  /** Time to resolve an uncertain save before the author is notified of the uncertainty. */
  resolveMs: number;
  /** Delay of a view's update, so that it doesn't overtake the acknowledgement that replaces the view. */
  afterAcknowledgementMs: number;
  /** Time after which a loading form says that the service is slow. */
  slowMs: number;
  /** Duration of a lease. Must be longer than any call (15 s). */
  leaseMs: number;
  /**
   * Maximum time from the request for a lease to the start of a call. The rest of the lease must be long enough for a
   * call (15 s) plus one second.
   */
  maxStartDelayMs: number;
  /** Interval between reads of a row that another request is sending. */
  followMs: number;
  /** Interval between scans for due rows, including rows of dead instances. */
  scanMs: number;
  /** Delays before the counts that reconcile a row. */
  checkWaitsMs: readonly number[];
  /** Backoff between attempts. See `computeFullJitterMs`. */
  retryMs: { firstMs: number; maxMs: number };
  /** How long a submission is retried before Upnext gives up. */
  giveUpMs: number;
  /** Delay of an attempt while an equal submission is in flight. */
  lockMs: number;
  /** Interval between probes of a refused token. */
  probeMs: number;
  /** Minimum interval between notifications of the owners about the same refused token. */
  ownerNotificationIntervalMs: number;
  /** Time after which the poll notifies the author, if the request that sent the submission hasn't shown the result. */
  notifyMs: number;
  /** The pause in typing before equal posts are counted for an open form, and how long the count is valid. */
  earlyCount: { delayMs: number; validMs: number };
  /** Consecutive failures that open the circuit breaker, and the waits before it lets a probe through. */
  breaker: { failures: number; firstMs: number; maxMs: number };
  /** How long a submission's content is stored after it has ended. */
  retentionMs: number;
  /** Runs at each crash point, in tests only. */
  onCrashPoint?(point: CrashPoint): void | Promise<void>;
}

const HOUR = 60 * 60 * 1000;

export const PACE: Pace = {
  answerMs: 1_800,
  saveMs: 1_000,
  resolveMs: 500,
  afterAcknowledgementMs: 500,
  slowMs: 4_000,
  leaseMs: 20_000,
  maxStartDelayMs: 4_000,
  followMs: 150,
  scanMs: 2_000,
  checkWaitsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  retryMs: { firstMs: 2_000, maxMs: 5 * 60_000 },
  giveUpMs: 24 * HOUR,
  lockMs: 1_000,
  probeMs: 5 * 60_000,
  ownerNotificationIntervalMs: 24 * HOUR,
  notifyMs: 15_000,
  // The pause in typing avoids a count for each letter. If an equal post is created elsewhere after the count, it is
  // mistaken for this post. Reconciling has the same risk for two minutes, and one more minute hardly increases the
  // risk.
  earlyCount: { delayMs: 1_000, validMs: 60_000 },
  breaker: { failures: 5, firstMs: 5_000, maxMs: 60_000 },
  retentionMs: 30 * 24 * HOUR,
};
