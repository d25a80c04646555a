/** The moments at which a process can be stopped without losing or doubling anything. */
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

/** How long things may take, ms. An argument, so that tests need not wait. */
export interface Pace {
  /** Slack waits 3 s for an acknowledgement; by then the service has answered or the person is told to wait. */
  answerMs: number;
  /** Committing a row; past it somebody has to find out whether it was saved. */
  saveMs: number;
  /** Finding out whether a row was saved; past it the author reads that this is not known yet. */
  settleMs: number;
  /** A view's update must not overtake the acknowledgement that replaced the view. */
  afterAcknowledgementMs: number;
  /** A form that is loading says by now that the service is slow. */
  slowMs: number;
  /** How long a row is in one instance's hands: longer than any call (15 s). */
  leaseMs: number;
  /** How long after its lease was asked for a call may still begin: a call (15 s) and a second fit into the rest. */
  beginMs: number;
  /** Between two looks at a row that somebody else is sending. */
  lookMs: number;
  /** Between two scans for what is due and what a dead instance has left. */
  scanMs: number;
  /** The waits before each look for what may have arrived. */
  looksMs: readonly number[];
  /** Waits before another try: the first, doubled each time, at most the last; each shortened by chance. */
  retryMs: { first: number; most: number };
  /** How long something is tried. */
  giveUpMs: number;
  /** An equal one is on its way. */
  lockMs: number;
  /** Between two probes of a token that was refused. */
  holdMs: number;
  /** Who was told of a refused token is not told again within this time. */
  holdAgainMs: number;
  /** What nobody has told by then, another instance tells. */
  tellMs: number;
  /** How long nobody changes a form before it is counted for, and how long that is believed. */
  early: { afterMs: number; freshMs: number };
  /** Failures in a row that open the breaker, and the waits before it lets one call through. */
  breaker: { failures: number; firstMs: number; mostMs: number };
  /** How long content is kept after the end. */
  keepMs: number;
  /** Told where the machine stands; only tests do something there. */
  at?(point: CrashPoint): void | Promise<void>;
}

const HOUR = 60 * 60 * 1000;

export const PACE: Pace = {
  answerMs: 1_800,
  saveMs: 1_000,
  settleMs: 500,
  afterAcknowledgementMs: 500,
  slowMs: 4_000,
  leaseMs: 20_000,
  beginMs: 4_000,
  lookMs: 150,
  scanMs: 2_000,
  looksMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  retryMs: { first: 2_000, most: 5 * 60_000 },
  giveUpMs: 24 * HOUR,
  lockMs: 1_000,
  holdMs: 5 * 60_000,
  holdAgainMs: 24 * HOUR,
  tellMs: 15_000,
  // While somebody writes, nothing is asked at each letter. A post that is made elsewhere after the count, in every
  // word and minute equal, would be taken for the one that is sent: the looks of two minutes bear that anyway, and one
  // minute more changes it little.
  early: { afterMs: 1_000, freshMs: 60_000 },
  breaker: { failures: 5, firstMs: 5_000, mostMs: 60_000 },
  keepMs: 30 * 24 * HOUR,
};
