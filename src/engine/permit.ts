import { performance } from 'node:perf_hooks';
import { readLocalTime } from '../durations.ts';

/**
 * The right to begin one call to another system for a leased row.
 *
 * During the lease no other instance claims the row. But a process may not notice that its lease has expired, if it was
 * frozen or its database answered minutes late. By then another instance may have claimed the row and asked the author,
 * who may have sent the post again. A call may therefore begin only while the rest of the lease covers the whole call.
 */
export interface Permit {
  mayBegin(): boolean;
}

/** Creates a permit for `validMs`. Call this before the statement that sets the lease, with which the lease begins. */
export function createPermit(
  validMs: number,
  // The monotonic clock stops while a computer sleeps, and the wall clock may be set back. The permit expires as soon
  // as either clock says so.
  clocks: readonly (() => number)[] = [() => performance.now(), readLocalTime],
): Permit {
  const starts = clocks.map((clock) => clock());
  return {
    mayBegin: () => clocks.every((clock, index) => clock() - (starts[index] ?? 0) <= validMs),
  };
}
