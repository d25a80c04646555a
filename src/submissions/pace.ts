/** Points at which tests stop the process. Nothing may be lost or doubled at any of them. */
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

/** Timeouts and intervals. An argument, so that tests don't have to wait. */
export interface Pace {
  /** When to acknowledge without an answer of the service. Slack waits 3 s for the acknowledgement. */
  answerMs: number;
  /** Time for a COMMIT. After that the save is uncertain. */
  saveMs: number;
  /** Time to resolve an uncertain save before the author is told that it is uncertain. */
  resolveMs: number;
  /** Delay of a view's update, so that it doesn't overtake the acknowledgement that replaces the view. */
  afterAcknowledgementMs: number;
  /** When a loading form says that the service is slow. */
  slowMs: number;
  /** Length of a lease. Longer than any call (15 s). */
  leaseMs: number;
  /** How long after requesting a lease a call may still begin. A call (15 s) and one second fit into the rest. */
  beginMs: number;
  /** Interval for reading a row that another request is sending. */
  followMs: number;
  /** Interval between scans for due rows, including those of dead instances. */
  scanMs: number;
  /** The wait before each check while reconciling. */
  checkWaitsMs: readonly number[];
  /** Backoff between attempts. See `fullJitter`. */
  retryMs: { firstMs: number; maxMs: number };
  /** How long a submission is retried. */
  giveUpMs: number;
  /** Wait for an equal submission that is in flight. */
  lockMs: number;
  /** Interval between probes of a refused token. */
  probeMs: number;
  /** Interval after which the owners are notified of the same refused token again. */
  notifyOwnersAgainMs: number;
  /** When the poll notifies the author, if the request that sends the submission hasn't shown the result. */
  notifyMs: number;
  /** Early counts: the pause in typing before a count, and how long the count is valid. */
  early: { afterMs: number; freshMs: number };
  /** Consecutive failures that open the circuit breaker, and the waits before it lets a probe through. */
  breaker: { failures: number; firstMs: number; maxMs: number };
  /** How long content is stored after the end. */
  keepMs: number;
  /** Called at each crash point. Only tests use it. */
  at?(point: CrashPoint): void | Promise<void>;
}

const HOUR = 60 * 60 * 1000;

export const PACE: Pace = {
  answerMs: 1_800,
  saveMs: 1_000,
  resolveMs: 500,
  afterAcknowledgementMs: 500,
  slowMs: 4_000,
  leaseMs: 20_000,
  beginMs: 4_000,
  followMs: 150,
  scanMs: 2_000,
  checkWaitsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  retryMs: { firstMs: 2_000, maxMs: 5 * 60_000 },
  giveUpMs: 24 * HOUR,
  lockMs: 1_000,
  probeMs: 5 * 60_000,
  notifyOwnersAgainMs: 24 * HOUR,
  notifyMs: 15_000,
  // The pause avoids a count for each letter. If somebody creates an equal post elsewhere after the count, it is taken
  // for
  // the one that is sent. Reconciling has that risk for two minutes anyway, and one minute more hardly increases it.
  early: { afterMs: 1_000, freshMs: 60_000 },
  breaker: { failures: 5, firstMs: 5_000, maxMs: 60_000 },
  keepMs: 30 * 24 * HOUR,
};
