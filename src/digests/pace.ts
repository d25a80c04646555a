/** The moments at which a process can be stopped without losing or doubling anything. */
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
  | 'before-telling'
  | 'after-telling';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long things may take, ms, and how many at once. An argument, so that tests need not wait. */
export interface DigestPace {
  /** Between two scans for what is due and what a dead instance has left. */
  scanMs: number;
  /** Longer than composing and sending take together. */
  leaseMs: number;
  /** How long after its lease was asked for a message may still be sent: a call to Slack (10 s) fits into the rest. */
  beginMs: number;
  /** Claimed in one statement, and at most in hand. */
  batch: number;
  hands: number;
  /** Later than this it is too late, and so it is on another local day, but for the last minutes of a day. */
  tooLateMs: number;
  overMidnightMs: number;
  /** From so late on the message says so. */
  lateMs: number;
  /** How long the service is tried, and the waits in between. */
  serviceMs: number;
  serviceWaitsMs: readonly number[];
  /** For how long Slack must call the bot's account inactive before the workspace is paused. */
  inactiveMs: number;
  /** Waits after Slack was certainly not reached. */
  retryMs: readonly number[];
  /** Slack looks through a picture before it may be shown; past these waits it goes without. */
  pictureMs: readonly number[];
  /** The waits before each look for a message that may have arrived, and how long it is looked for at all. */
  checkWaitsMs: readonly number[];
  lookForMs: number;
  /** Around the sending, by Slack's clock, in which it is looked for. */
  lookBeforeMs: number;
  lookAfterMs: number;
  /** What nobody has told by then, another turn tells; while Slack does not let us in, so seldom. */
  notifyMs: number;
  tellAgainMs: number;
  /** Where nobody knows whether a notice arrived, it is sent again, but not for ever. */
  tellWaitsMs: readonly number[];
  /** How long we go by what we know of which channels are shared. */
  sharedMs: number;
  keepMs: number;
  /** Told where the machine stands; only tests do something there. */
  at?(point: CrashPoint): void | Promise<void>;
}

export const DIGEST_PACE: DigestPace = {
  scanMs: 15 * SECOND,
  leaseMs: 2 * MINUTE,
  beginMs: MINUTE,
  batch: 50,
  hands: 400,
  tooLateMs: 12 * HOUR,
  // Half an hour of tries, and the line that says so, a little later.
  overMidnightMs: 45 * MINUTE,
  lateMs: 10 * MINUTE,
  serviceMs: 30 * MINUTE,
  serviceWaitsMs: [20 * SECOND, 40 * SECOND, MINUTE, 2 * MINUTE, 3 * MINUTE],
  inactiveMs: 15 * MINUTE,
  retryMs: [2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE],
  pictureMs: [SECOND, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND],
  checkWaitsMs: [2 * SECOND, 8 * SECOND, 20 * SECOND, 30 * SECOND],
  lookForMs: HOUR,
  lookBeforeMs: 2 * MINUTE,
  lookAfterMs: HOUR,
  notifyMs: MINUTE,
  tellAgainMs: HOUR,
  tellWaitsMs: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR],
  sharedMs: 15 * MINUTE,
  keepMs: 100 * 24 * HOUR,
};

/** The wait before the n-th further try; the last one for all that follow. */
export function waitOf(waits: readonly number[], tried: number): number {
  return waits[Math.min(tried, waits.length - 1)] ?? 0;
}
