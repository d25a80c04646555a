import { performance } from 'node:perf_hooks';

/**
 * The right to begin one call to another system, for whoever holds a row's lease.
 *
 * The lease says for how long nobody else takes the row over. A process that is frozen, or whose database answers
 * minutes late, wakes up believing that the lease is still its own; by then another instance may have asked the author,
 * who sent the post again. So the call may only begin while the rest of the lease still covers all of it.
 */
export interface Permit {
  mayBegin(): boolean;
}

/** `forMs`: how long after now the call may begin. Made before the statement that renews the lease is sent. */
export function createPermit(
  forMs: number,
  // A computer that sleeps stops the monotonic clock, one whose time is corrected moves the other: the later counts.
  clocks: readonly (() => number)[] = [() => performance.now(), Date.now],
): Permit {
  const starts = clocks.map((clock) => clock());
  return {
    mayBegin: () => clocks.every((clock, index) => clock() - (starts[index] ?? 0) <= forMs),
  };
}
