import { setImmediate } from 'node:timers/promises';

/** The slot of one call for reading a large response. */
export interface Turn {
  readonly isWaiting: boolean;
  /** Resolves when a slot is free. Rejects if the call is aborted before. */
  begin(signal: AbortSignal): Promise<void>;
  /** Resolves when the next chunk may be read. All large responses together have one chunk per event loop turn. */
  pace(): Promise<void>;
  /** Frees the slot, or stops waiting for one. */
  end(): void;
}

/** Calls with the same share have a common quota: a workspace's id, or any object. */
export type Share = string | object;

/**
 * Hands out slots: `atOnce` in all, `ofOneShare` for each share. The next slot goes to the share that holds the fewest.
 */
export function createLargeReads(limits: { atOnce: number; ofOneShare: number }): (share: Share) => Turn {
  const held = new Map<Share, number>();
  const waiting = new Set<{ share: Share; start(): void }>();
  let all = 0;
  let lastChunk: Promise<void> = Promise.resolve();

  const countSlots = (share: Share) => held.get(share) ?? 0;

  function startNext(): void {
    while (all < limits.atOnce) {
      const free = [...waiting].filter(({ share }) => countSlots(share) < limits.ofOneShare);
      // The sort is stable: among equals, the call that has waited longest is first.
      const [next] = free.toSorted((one, other) => countSlots(one.share) - countSlots(other.share));
      if (!next) return;
      waiting.delete(next);
      all += 1;
      held.set(next.share, countSlots(next.share) + 1);
      next.start();
    }
  }

  function release(share: Share): void {
    all -= 1;
    const left = countSlots(share) - 1;
    if (left > 0) held.set(share, left);
    else held.delete(share);
    startNext();
  }

  return (share) => {
    const started = Promise.withResolvers<void>();
    let hasBegun = false;
    const slot = {
      share,
      start: () => {
        hasBegun = true;
        started.resolve();
      },
    };
    let hasEnded = false;
    return {
      get isWaiting() {
        return waiting.has(slot);
      },
      async begin(signal) {
        if (hasBegun) return started.promise;
        signal.throwIfAborted();
        signal.addEventListener('abort', () => started.reject(signal.reason), { once: true });
        waiting.add(slot);
        startNext();
        return started.promise;
      },
      pace() {
        lastChunk = lastChunk.then(() => setImmediate());
        return lastChunk;
      },
      end() {
        if (hasEnded) return;
        hasEnded = true;
        waiting.delete(slot);
        if (hasBegun) release(share);
      },
    };
  };
}
