import { PACE, type Pace } from '../../../src/submissions/pace.ts';

/** Creates a pace with the usual waits, divided by `factor`. Leases and delays of a start have a minimum. */
export function createScaledPace(factor: number): Pace {
  const scale = (ms: number) => Math.ceil(ms / factor);
  const { checkWaitsMs, retryMs, breaker } = PACE;
  return {
    ...PACE,
    answerMs: scale(PACE.answerMs),
    // Not scaled, because a commit doesn't become faster.
    saveMs: 60_000,
    afterAcknowledgementMs: scale(PACE.afterAcknowledgementMs),
    leaseMs: Math.max(scale(PACE.leaseMs), 2_000),
    maxStartDelayMs: Math.max(scale(PACE.maxStartDelayMs), 1_000),
    followMs: scale(PACE.followMs),
    scanMs: scale(PACE.scanMs),
    checkWaitsMs: checkWaitsMs.map(scale),
    retryMs: { firstMs: scale(retryMs.firstMs), maxMs: scale(retryMs.maxMs) },
    lockMs: scale(PACE.lockMs),
    probeMs: scale(PACE.probeMs),
    notifyMs: Math.max(scale(PACE.notifyMs), 2_000),
    breaker: { ...breaker, firstMs: scale(breaker.firstMs), maxMs: scale(breaker.maxMs) },
  };
}
