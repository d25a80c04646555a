import { PACE, type Pace } from '../../../src/submissions/pace.ts';

/** Everything that takes time, so many times as fast. */
export function scaledPace(by: number): Pace {
  const less = (ms: number) => Math.ceil(ms / by);
  const { looksMs, retryMs, breaker } = PACE;
  return {
    ...PACE,
    answerMs: less(PACE.answerMs),
    // A commit takes as long as it takes.
    saveMs: 60_000,
    afterAcknowledgementMs: less(PACE.afterAcknowledgementMs),
    leaseMs: Math.max(less(PACE.leaseMs), 2_000),
    beginMs: Math.max(less(PACE.beginMs), 1_000),
    lookMs: less(PACE.lookMs),
    scanMs: less(PACE.scanMs),
    looksMs: looksMs.map(less),
    retryMs: { first: less(retryMs.first), most: less(retryMs.most) },
    lockMs: less(PACE.lockMs),
    holdMs: less(PACE.holdMs),
    tellMs: Math.max(less(PACE.tellMs), 2_000),
    breaker: { ...breaker, firstMs: less(breaker.firstMs), mostMs: less(breaker.mostMs) },
  };
}
