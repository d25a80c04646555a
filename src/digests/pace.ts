import { HOUR_MS, MINUTE_MS } from '../durations.ts';

const SECOND = 1_000;

/** Durations, waits and batch sizes. Tests pass shorter waits. */
export const DIGEST_PACE = {
  /** Interval between scans for due rows and for rows of dead instances. */
  scanIntervalMs: 15 * SECOND,
  /** Duration of a row's lease. The lease is longer than composing and sending take together. */
  leaseMs: 2 * MINUTE_MS,
  /** Maximum time from a claim to the start of a call to Slack. The call (10 s) must end before the lease does. */
  maxStartDelayMs: MINUTE_MS,
  /** Maximum number of claimed rows whose digests are loaded with one query. */
  batchSize: 50,
  /** Maximum number of rows in progress in this instance. */
  maxRowsInProgress: 400,
  /** Delay after which a message is too late. */
  tooLateMs: 12 * HOUR_MS,
  /**
   * Delay after which a message is too late if the local date has changed since the message was due. Longer than
   * `serviceRetryPeriodMs`, so that the message about an unreachable service isn't too late when the retries end after
   * midnight.
   */
  midnightGraceMs: 45 * MINUTE_MS,
  /** Delay after which a message mentions that it is late. */
  minReportedDelayMs: 10 * MINUTE_MS,
  /** How long a failing service is retried. */
  serviceRetryPeriodMs: 30 * MINUTE_MS,
  /** Waits between attempts while the service fails. */
  serviceWaitsMs: [20 * SECOND, 40 * SECOND, MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS],
  /** The digests of a workspace are paused once Slack has called the bot's account inactive for this period. */
  inactivePeriodMs: 15 * MINUTE_MS,
  /** Waits after an attempt that certainly didn't reach Slack. */
  retryWaitsMs: [2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE_MS],
  /** Waits while Slack processes a picture. After the last wait, the message is sent without the picture. */
  pictureWaitsMs: [SECOND, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND],
  /** The wait before each search for a message that Slack may have. */
  reconcileWaitsMs: [2 * SECOND, 8 * SECOND, 20 * SECOND, 30 * SECOND],
  /** How long failing searches are repeated. */
  reconcilePeriodMs: HOUR_MS,
  /** The search in the channel's history begins this long before the send, in case Slack's clock differs. */
  searchBeforeMs: 2 * MINUTE_MS,
  /** The search of the channel's history ends this long after the start of the send. */
  searchAfterMs: HOUR_MS,
  /** Duration of a notification's claim. */
  notifyLeaseMs: MINUTE_MS,
  /** The wait before the next attempt while Slack refuses the token. */
  notifyBlockedMs: HOUR_MS,
  /** How long the list of shared channels is cached. */
  sharedChannelsMaxAgeMs: 15 * MINUTE_MS,
  /** How long an ended occurrence is stored. */
  retentionMs: 100 * 24 * HOUR_MS,
};

export type DigestPace = typeof DIGEST_PACE & {
  /** Called after the commit of `sending`, before the request to Slack. For tests. */
  onSending?(): void | Promise<void>;
};

/** Picks the wait after a number of attempts. The last wait repeats. */
export function pickWait(waits: readonly number[], attempts: number): number {
  return waits[Math.min(attempts, waits.length - 1)] ?? 0;
}
