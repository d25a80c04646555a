/** The points at which a process may be killed without losing or duplicating a message. */
export type CrashPoint =
  | 'after-due'
  | 'after-claim'
  | 'after-compose'
  | 'after-upload'
  | 'before-sending'
  | 'after-sending'
  | 'before-result'
  | 'after-result'
  | 'before-follow-up'
  | 'before-notification'
  | 'after-notification';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Timeouts and waits in ms, and sizes of batches. It is an argument so that tests can shorten the waits. */
export interface DigestPace {
  /** Between two scans for due rows and for rows that a dead instance left. */
  scanMs: number;
  /** The lease of a claimed row: longer than composing and sending take together. */
  leaseMs: number;
  /** How long after a claim a call to Slack may begin; the call (10 s) has to fit into the rest of the lease. */
  beginMs: number;
  /** Rows per claim, and rows in flight. */
  batch: number;
  concurrency: number;
  /** A message is too late after `tooLateMs`, or on another local day and after `overMidnightMs`. */
  tooLateMs: number;
  overMidnightMs: number;
  /** The delay from which a message says that it is late. */
  lateMs: number;
  /** How long a failing service is retried, and the backoff in between. */
  serviceMs: number;
  serviceWaitsMs: readonly number[];
  /** How long Slack must call the bot's account inactive before the workspace's digests are paused. */
  inactiveMs: number;
  /** Backoff after Slack was certainly not reached. */
  retryMs: readonly number[];
  /** Slack processes a picture before it can be shown. After these waits the message is sent without it. */
  pictureMs: readonly number[];
  /** The wait before each search for a message that may have arrived, and how long it is reconciled at most. */
  reconcileWaitsMs: readonly number[];
  reconcileForMs: number;
  /** The range of the history that is searched, around the moment of sending: Slack's clock may differ from ours. */
  searchBeforeMs: number;
  searchAfterMs: number;
  /** The lease of a notification, and the wait while Slack refuses the token. */
  notifyLeaseMs: number;
  notifyBlockedMs: number;
  /** Backoff of a notification whose outcome is unknown or that Slack refused; after the last wait it is dropped. */
  notifyBackoffMs: readonly number[];
  /** How long the list of shared channels is cached. */
  sharedMs: number;
  /** How long an ended occurrence is stored. */
  keepMs: number;
  /** Called at each crash point. For tests. */
  at?(point: CrashPoint): void | Promise<void>;
}

export const DIGEST_PACE: DigestPace = {
  scanMs: 15 * SECOND,
  leaseMs: 2 * MINUTE,
  beginMs: MINUTE,
  batch: 50,
  concurrency: 400,
  tooLateMs: 12 * HOUR,
  // Longer than `serviceMs`, so that the message about an unreachable service still counts as the same day.
  overMidnightMs: 45 * MINUTE,
  lateMs: 10 * MINUTE,
  serviceMs: 30 * MINUTE,
  serviceWaitsMs: [20 * SECOND, 40 * SECOND, MINUTE, 2 * MINUTE, 3 * MINUTE],
  inactiveMs: 15 * MINUTE,
  retryMs: [2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE],
  pictureMs: [SECOND, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND],
  reconcileWaitsMs: [2 * SECOND, 8 * SECOND, 20 * SECOND, 30 * SECOND],
  reconcileForMs: HOUR,
  searchBeforeMs: 2 * MINUTE,
  searchAfterMs: HOUR,
  notifyLeaseMs: MINUTE,
  notifyBlockedMs: HOUR,
  notifyBackoffMs: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR],
  sharedMs: 15 * MINUTE,
  keepMs: 100 * 24 * HOUR,
};

/** The wait before the next attempt, after `tried` attempts. The last wait repeats. */
export function pickWait(waits: readonly number[], tried: number): number {
  return waits[Math.min(tried, waits.length - 1)] ?? 0;
}
