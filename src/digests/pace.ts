import { HOUR_MS, MINUTE_MS } from '../durations.ts';

const SECOND = 1_000;
/** Durations, waits and batch sizes. Tests pass shorter waits. */
export interface DigestPace {
  /** Interval between scans for due rows and for rows of dead instances. */
  scanIntervalMs: number;
  /** Duration of a row's lease. The lease is longer than composing and sending take together. */
  leaseMs: number;
  /** Maximum time from a claim to the start of a call to Slack. The call (10 s) must end before the lease does. */
  maxStartDelayMs: number;
  /** Maximum number of claimed rows whose digests are loaded with one query. */
  batchSize: number;
  /** Maximum number of rows in progress in this instance. */
  maxRowsInProgress: number;
  /** Delay after which a message is too late. */
  tooLateMs: number;
  /** Delay after which a message is too late if the local date has changed since the message was due. */
  midnightGraceMs: number;
  /** Delay after which a message mentions that it is late. */
  minReportedDelayMs: number;
  /** How long a failing service is retried. */
  serviceRetryPeriodMs: number;
  /** Waits between attempts while the service fails. */
  serviceWaitsMs: readonly number[];
  /** The digests of a workspace are paused once Slack has called the bot's account inactive for this period. */
  inactivePeriodMs: number;
  /** Waits after an attempt that certainly didn't reach Slack. */
  retryWaitsMs: readonly number[];
  /** Waits while Slack processes a picture. After the last wait, the message is sent without the picture. */
  pictureWaitsMs: readonly number[];
  /** The wait before each search for a message that Slack may have. */
  reconcileWaitsMs: readonly number[];
  /** How long failing searches are repeated. */
  reconcilePeriodMs: number;
  /** The search in the channel's history begins this long before the send, in case Slack's clock differs. */
  searchBeforeMs: number;
  /** The search of the channel's history ends this long after the start of the send. */
  searchAfterMs: number;
  /** Duration of a notification's claim. */
  notifyLeaseMs: number;
  /** The wait before the next attempt while Slack refuses the token. */
  notifyBlockedMs: number;
  /** How long the list of shared channels is cached. */
  sharedChannelsMaxAgeMs: number;
  /** How long an ended occurrence is stored. */
  retentionMs: number;
  /** Called after the commit of `sending`, before the request to Slack. For tests. */
  onSending?(): void | Promise<void>;
}

export const DIGEST_PACE: DigestPace = {
  scanIntervalMs: 15 * SECOND,
  leaseMs: 2 * MINUTE_MS,
  maxStartDelayMs: MINUTE_MS,
  batchSize: 50,
  maxRowsInProgress: 400,
  tooLateMs: 12 * HOUR_MS,
  // Longer than `serviceRetryPeriodMs`, so that the message about an unreachable service isn't too late when the
  // retries end after midnight.
  midnightGraceMs: 45 * MINUTE_MS,
  minReportedDelayMs: 10 * MINUTE_MS,
  serviceRetryPeriodMs: 30 * MINUTE_MS,
  serviceWaitsMs: [20 * SECOND, 40 * SECOND, MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS],
  inactivePeriodMs: 15 * MINUTE_MS,
  retryWaitsMs: [2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE_MS],
  pictureWaitsMs: [SECOND, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND],
  reconcileWaitsMs: [2 * SECOND, 8 * SECOND, 20 * SECOND, 30 * SECOND],
  reconcilePeriodMs: HOUR_MS,
  searchBeforeMs: 2 * MINUTE_MS,
  searchAfterMs: HOUR_MS,
  notifyLeaseMs: MINUTE_MS,
  notifyBlockedMs: HOUR_MS,
  sharedChannelsMaxAgeMs: 15 * MINUTE_MS,
  retentionMs: 100 * 24 * HOUR_MS,
};

/** Picks the wait after a number of attempts. The last wait repeats. */
export function pickWait(waits: readonly number[], attempts: number): number {
  return waits[Math.min(attempts, waits.length - 1)] ?? 0;
}
