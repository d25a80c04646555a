import { setImmediate } from 'node:timers/promises';

/** The turn of one call to hold a large answer. */
export interface Turn {
  readonly isWaiting: boolean;
  /** Resolves when the answer may be held; rejects when the call is aborted before. */
  begin(signal: AbortSignal): Promise<void>;
  /** Resolves when the next chunk may be read: in each turn of the event loop one, of all large answers together. */
  pace(): Promise<void>;
  /** Gives the place to another; whether it was begun or not. */
  end(): void;
}

/** Whose answers count together: a workspace's id, or an object of its own. */
export type Share = string | object;

/** Gives out turns: `atOnce` of all together, `ofOneShare` of each. Next is the share that holds the fewest. */
export function createLargeReads(limits: { atOnce: number; ofOneShare: number }): (share: Share) => Turn {
  const held = new Map<Share, number>();
  const waiting = new Set<{ share: Share; start(): void }>();
  let all = 0;
  let lastChunk: Promise<void> = Promise.resolve();

  const heldBy = (share: Share) => held.get(share) ?? 0;

  function startNext(): void {
    while (all < limits.atOnce) {
      const free = [...waiting].filter(({ share }) => heldBy(share) < limits.ofOneShare);
      // Of equal ones the one that has waited longest.
      const [next] = free.toSorted((one, other) => heldBy(one.share) - heldBy(other.share));
      if (!next) return;
      waiting.delete(next);
      all += 1;
      held.set(next.share, heldBy(next.share) + 1);
      next.start();
    }
  }

  function give(share: Share): void {
    all -= 1;
    const left = heldBy(share) - 1;
    if (left > 0) held.set(share, left);
    else held.delete(share);
    startNext();
  }

  return (share) => {
    const started = Promise.withResolvers<void>();
    let hasBegun = false;
    const place = {
      share,
      start: () => {
        hasBegun = true;
        started.resolve();
      },
    };
    let hasEnded = false;
    return {
      get isWaiting() {
        return waiting.has(place);
      },
      async begin(signal) {
        if (hasBegun) return started.promise;
        signal.throwIfAborted();
        signal.addEventListener('abort', () => started.reject(signal.reason), { once: true });
        waiting.add(place);
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
        waiting.delete(place);
        if (hasBegun) give(share);
      },
    };
  };
}
