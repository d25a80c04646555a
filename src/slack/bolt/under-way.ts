import { setTimeout as delay } from 'node:timers/promises';

/** What is being sent may take as long as one call to the service; who stops the process waits no longer than this. */
const LONGEST_MS = 8_000;

export type UnderWay = ReturnType<typeof underWay>;

/** The work that requests have started, acknowledged or not. */
export function underWay() {
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
    /** When that has ended, or taken too long. */
    async atMost(ending: Promise<void>): Promise<void> {
      await Promise.race([ending, delay(LONGEST_MS, undefined, { ref: false })]);
    },
    /** When all of it has ended, or taken too long (ms). */
    async settled(longestMs = LONGEST_MS): Promise<void> {
      await Promise.race([Promise.allSettled(running), delay(longestMs, undefined, { ref: false })]);
    },
  };
}
