import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { SLACK_LIMITS } from 'slack-workspace-emulator';

/** How many times longer things take because other programs use the processor. 1 on a machine that only runs the tests. */
export function measureBusyness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.max(1, lastMinute / availableParallelism() - 1);
}

let [lastReadAt, estimatedMs] = [performance.now(), 0];

/**
 * The time in ms without that for which this thread was ready to run and other programs had the processor, so that
 * durations are the same on a busy machine. Estimated from the busyness where the kernel doesn't say that.
 */
export function readOwnTime(): number {
  const [now, waitedMs] = [performance.now(), readWaitedMs()];
  if (waitedMs !== undefined) return now - waitedMs;
  estimatedMs += (now - lastReadAt) / measureBusyness();
  lastReadAt = now;
  return estimatedMs;
}

/** Runs an operation, and returns its result with its duration and its part of this thread's own time. */
export async function measureTime<Result>(run: () => Promise<Result>) {
  const [startedAt, ownStart] = [performance.now(), readOwnTime()];
  const result = await run();
  return { result, durationMs: performance.now() - startedAt, ownMs: readOwnTime() - ownStart };
}

function readWaitedMs(): number | undefined {
  try {
    const [, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return undefined;
  }
}

/**
 * How many times longer than Slack the emulated Slack of a test waits for the app, because a busy machine may take that
 * much longer.
 */
export const PATIENCE = 20;

const { acknowledgementMs, triggerIdMs } = SLACK_LIMITS;
const LIMITS = [
  { limit: acknowledgementMs, value: acknowledgementMs.value },
  { limit: triggerIdMs, value: triggerIdMs.value },
];
let currentFactor = 1;

/**
 * Sets how many times longer than Slack the emulated Slack of this process waits for an acknowledgement, and for a form
 * after a press, until the returned function is called.
 */
export function stretchDeadlines(factor = PATIENCE): () => void {
  const factorBefore = currentFactor;
  const stretch = (newFactor: number) => {
    currentFactor = newFactor;
    for (const { limit, value } of LIMITS) Object.assign(limit, { value: value * newFactor });
  };
  stretch(factor);
  return () => stretch(factorBefore);
}
