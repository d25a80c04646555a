import { PACE, type Pace } from '../../../src/submissions/pace.ts';

/** Everything that takes time, so many times as fast. */
export function scaledPace(by: number): Pace {
  const less = (ms: number) => Math.ceil(ms / by);
  const { checkWaitsMs, retryMs, breaker } = PACE;
  return {
    ...PACE,
    answerMs: less(PACE.answerMs),
    // A commit takes as long as it takes.
    saveMs: 60_000,
    afterAcknowledgementMs: less(PACE.afterAcknowledgementMs),
    leaseMs: Math.max(less(PACE.leaseMs), 2_000),
    beginMs: Math.max(less(PACE.beginMs), 1_000),
    followMs: less(PACE.followMs),
    scanMs: less(PACE.scanMs),
    checkWaitsMs: checkWaitsMs.map(less),
    retryMs: { firstMs: less(retryMs.firstMs), maxMs: less(retryMs.maxMs) },
    lockMs: less(PACE.lockMs),
    probeMs: less(PACE.probeMs),
    notifyMs: Math.max(less(PACE.notifyMs), 2_000),
    breaker: { ...breaker, firstMs: less(breaker.firstMs), maxMs: less(breaker.maxMs) },
  };
}
