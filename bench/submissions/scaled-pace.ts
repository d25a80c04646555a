import { PACE, type Pace } from '../../src/submissions/pace.ts';

/** Creates a pace with the usual waits, divided by `factor`. Leases and delays of a start have a minimum. */
export function createScaledPace(factor: number): Pace {
  const scale = (ms: number) => Math.ceil(ms / factor);
  const { reconcileDelaysMs, retryBackoff, breaker } = PACE;
  return {
    ...PACE,
    acknowledgementTimeoutMs: scale(PACE.acknowledgementTimeoutMs),
    // Not scaled, because a commit doesn't become faster.
    saveMs: 60_000,
    afterAcknowledgementMs: scale(PACE.afterAcknowledgementMs),
    leaseMs: Math.max(scale(PACE.leaseMs), 2_000),
    maxStartDelayMs: Math.max(scale(PACE.maxStartDelayMs), 1_000),
    rereadIntervalMs: scale(PACE.rereadIntervalMs),
    scanIntervalMs: scale(PACE.scanIntervalMs),
    reconcileDelaysMs: reconcileDelaysMs.map(scale),
    retryBackoff: { firstMs: scale(retryBackoff.firstMs), maxMs: scale(retryBackoff.maxMs) },
    lockRetryMs: scale(PACE.lockRetryMs),
    probeIntervalMs: scale(PACE.probeIntervalMs),
    notificationDelayMs: Math.max(scale(PACE.notificationDelayMs), 2_000),
    breaker: { ...breaker, firstMs: scale(breaker.firstMs), maxMs: scale(breaker.maxMs) },
  };
}
