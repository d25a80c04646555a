import { setTimeout as delay } from 'node:timers/promises';

/** How long a shutdown waits for work in flight. A call to the service may take longer. */
const MAX_WAIT_MS = 8_000;

export type WorkTracker = ReturnType<typeof createWorkTracker>;

/** Tracks the work in flight that requests have started, acknowledged or not. */
export function createWorkTracker() {
  const running = new Set<Promise<void>>();
  return {
    async add(work: Promise<void>): Promise<void> {
      running.add(work);
      try {
        await work;
      } finally {
        running.delete(work);
      }
    },
    /** Waits for `ending`, up to the limit. */
    async waitFor(ending: Promise<void>): Promise<void> {
      await Promise.race([ending, delay(MAX_WAIT_MS, undefined, { ref: false })]);
    },
    /** Waits for all work in flight, up to the limit (ms). */
    async waitForAll(maxMs = MAX_WAIT_MS): Promise<void> {
      await Promise.race([Promise.allSettled(running), delay(maxMs, undefined, { ref: false })]);
    },
  };
}
