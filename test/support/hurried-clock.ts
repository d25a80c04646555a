import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';

/** An hour in a second: a day of digests passes while a test runs. */
const SPEED = 3_600;

/** The clock for people; `started` and `from` in ms: when it showed what. */
export function hurriedClock({ started, from }: { started: number; from: number }): () => Date {
  return () => new Date(from + (Date.now() - started) * SPEED);
}

const HOUR = 60 * 60 * 1000;

/** Waits that fit it; those around a message are by the clock for people. */
export const HURRIED: DigestPace = {
  ...DIGEST_PACE,
  scanMs: 100,
  leaseMs: 2_000,
  beginMs: 1_000,
  retryMs: [100],
  checkWaitsMs: [100, 200, 400, 800],
  lookForMs: 5_000,
  lookBeforeMs: HOUR,
  lookAfterMs: 3 * HOUR,
  lateMs: 2 * HOUR,
  notifyMs: 1_000,
  tellAgainMs: 500,
  tellWaitsMs: [200, 400, 800, 1_600],
};
