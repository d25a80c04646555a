import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';

/** An hour of the accelerated clock passes in one second. */
const SPEED = 3_600;

/** Creates an accelerated clock that shows `clockStart` at the real time `realStart` (both in ms since the epoch). */
export function createAcceleratedClock({
  realStart,
  clockStart,
}: Record<'realStart' | 'clockStart', number>): () => Date {
  return () => new Date(clockStart + (Date.now() - realStart) * SPEED);
}

const HOUR = 60 * 60 * 1000;

/**
 * A pace for the accelerated clock. `searchBeforeMs`, `searchAfterMs` and `minReportedDelayMs` are times on that clock,
 * all others are real times.
 */
export const ACCELERATED_PACE: DigestPace = {
  ...DIGEST_PACE,
  scanIntervalMs: 100,
  leaseMs: 2_000,
  maxStartDelayMs: 1_000,
  retryWaitsMs: [100],
  reconcileWaitsMs: [100, 200, 400, 800],
  reconcilePeriodMs: 5_000,
  searchBeforeMs: HOUR,
  searchAfterMs: 3 * HOUR,
  minReportedDelayMs: 2 * HOUR,
  notifyLeaseMs: 1_000,
  notifyBlockedMs: 500,
};
