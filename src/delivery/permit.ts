import { performance } from 'node:perf_hooks';

/**
 * The right to begin one call to another system for a leased row.
 *
 * During the lease no other instance claims the row. A process that was frozen, or whose database answered minutes late,
 * may not notice that its lease has expired. Meanwhile another instance may have asked the author, and the author may
 * have sent the post again. A call may therefore begin only while the rest of the lease covers the whole call.
 */
export interface Permit {
  mayBegin(): boolean;
}

/** The call may begin within `forMs`. Create the permit before sending the statement that takes the lease. */
export function createPermit(
  forMs: number,
  // The monotonic clock stops while a computer sleeps, and the wall clock may be set back: the later one counts.
  clocks: readonly (() => number)[] = [() => performance.now(), Date.now],
): Permit {
  const starts = clocks.map((clock) => clock());
  return {
    mayBegin: () => clocks.every((clock, index) => clock() - (starts[index] ?? 0) <= forMs),
  };
}
