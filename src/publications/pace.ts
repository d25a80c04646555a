/** Points at which tests stop an instance. No author may be notified twice, or not at all, because of it. */
export type CrashPoint = 'before-message' | 'after-message';

/** Durations, waits and limits. Tests pass shorter waits. */
export interface PublicationPace {
  /** Interval between scans for due rows and for rows of dead instances. */
  scanIntervalMs: number;
  /** Duration of a row's lease. Longer than two calls to the service (15 s each). */
  leaseMs: number;
  /** Delay of the first check after the publishing time. A service needs a moment to publish. */
  firstCheckMs: number;
  /** Waits between checks. The last wait repeats. */
  checkWaitsMs: readonly number[];
  /** Delay after which a post is late that the service still lists as scheduled. */
  lateMs: number;
  /** How long checks without an answer are repeated. */
  giveUpMs: number;
  /** Age of posts that nobody is notified of, for example after Upnext was stopped for long. */
  maxAgeMs: number;
  /** Outcomes within the same period share one message to their author. */
  groupMs: number;
  /** Duration of a notification's claim. Longer than three calls to Slack (10 s each). */
  notifyLeaseMs: number;
  /** How long a notification that Slack doesn't accept is repeated. */
  notifyPeriodMs: number;
  /** How long a publication is stored after its outcome is known. */
  retentionMs: number;
  onCrashPoint?(point: CrashPoint): void | Promise<void>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const PUBLICATION_PACE: PublicationPace = {
  scanIntervalMs: 15 * SECOND,
  leaseMs: MINUTE,
  firstCheckMs: 2 * MINUTE,
  checkWaitsMs: [15 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE],
  lateMs: 30 * MINUTE,
  giveUpMs: 4 * HOUR,
  maxAgeMs: 7 * DAY,
  groupMs: 5 * SECOND,
  notifyLeaseMs: MINUTE,
  notifyPeriodMs: DAY,
  retentionMs: 30 * DAY,
};
