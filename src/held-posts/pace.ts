import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';

/** Points at which tests stop an instance. */
export type CrashPoint =
  | 'before-hand-over'
  | 'after-hand-over'
  | 'before-message'
  | 'after-message'
  | 'before-occurrences'
  | 'within-occurrences'
  | 'after-occurrences';

/** Durations, waits and limits. Tests pass shorter waits. */
export interface HeldPostPace {
  /** Interval between scans for due posts and for rows of dead instances. */
  scanIntervalMs: number;
  /** Duration of a lease. Longer than the checks before a hand-over. */
  leaseMs: number;
  /** Wait before a check without an answer is repeated, e.g. whether the author may still schedule. */
  recheckMs: number;
  /**
   * The initial interval between checks of a handed-over post's submission, whose notification usually comes first. It
   * doubles up to `maxOutcomeCheckMs`, and further up to `decisionCheckMs` while the submission waits for its author.
   */
  outcomeCheckMs: number;
  maxOutcomeCheckMs: number;
  decisionCheckMs: number;
  /** How long before its hand-over the reviewers of a post of a series are asked, so that they aren't asked about 35 days. */
  seriesReviewMs: number;
  /** How long before the hand-over reviewers are reminded, in descending order. */
  remindersMs: readonly number[];
  /** How long a press on [Hand over now] waits for the service. Later outcomes change the post's messages. */
  handOverWaitMs: number;
  /** Duration of a notification's claim. Longer than three calls to Slack (10 s each). */
  notifyLeaseMs: number;
  /** Period in which posts that need somebody for the same reason share a message. */
  groupMs: number;
  /** Interval between checks whether somebody may still schedule a held post. */
  authorityCheckMs: number;
  /** How long a delivered or cancelled post is stored. */
  retentionMs: number;
  onCrashPoint?(point: CrashPoint): void | Promise<void>;
}

const SECOND = 1_000;
/** How long a cancelled post is stored, and can be restored. */
export const UNDO_DAYS = 90;

export const HELD_POST_PACE: HeldPostPace = {
  scanIntervalMs: 5 * SECOND,
  leaseMs: MINUTE_MS,
  recheckMs: 30 * SECOND,
  outcomeCheckMs: MINUTE_MS,
  maxOutcomeCheckMs: 15 * MINUTE_MS,
  decisionCheckMs: HOUR_MS,
  seriesReviewMs: 7 * DAY_MS,
  remindersMs: [24 * HOUR_MS, 2 * HOUR_MS],
  handOverWaitMs: 8 * SECOND,
  notifyLeaseMs: MINUTE_MS,
  groupMs: 5 * SECOND,
  authorityCheckMs: 12 * HOUR_MS,
  retentionMs: UNDO_DAYS * DAY_MS,
};
