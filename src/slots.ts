/** A place among those who do something at the same time. */
export interface Slot {
  /** True while its owner waits for it. */
  readonly isWaiting: boolean;
  /** Resolves when the slot is free. Rejects if `signal` is aborted before. */
  acquire(signal?: AbortSignal): Promise<void>;
  /** Frees the slot, or stops waiting for it. */
  release(): void;
}

/** Owners with the same key have a common quota. The key is the id of a workspace, or any object. */
export type QuotaKey = string | object;

/**
 * Returns a function that creates slots. At most `maxSlots` are used at the same time, and at most `maxSlotsPerKey` of
 * the same key. The next free one goes to the key that uses the fewest.
 */
export function createSlots(limits: { maxSlots: number; maxSlotsPerKey: number }): (key: QuotaKey) => Slot {
  const waiting = new Set<{ key: QuotaKey; start(): void }>();
  const used: QuotaKey[] = [];
  const countUsed = (key: QuotaKey) => used.filter((each) => each === key).length;

  function startNext(): void {
    const eligible = [...waiting].filter(({ key }) => countUsed(key) < limits.maxSlotsPerKey);
    // The sort is stable, so among keys with equal counts the one that has waited longest is first.
    const [next] = eligible.toSorted((one, other) => countUsed(one.key) - countUsed(other.key));
    if (!next || used.length >= limits.maxSlots) return;
    waiting.delete(next);
    used.push(next.key);
    next.start();
  }

  return (key) => {
    const started = Promise.withResolvers<void>();
    let state: 'new' | 'used' | 'released' = 'new';
    const request = {
      key,
      start: () => {
        state = 'used';
        started.resolve();
      },
    };
    return {
      get isWaiting() {
        return waiting.has(request);
      },
      async acquire(signal) {
        if (state === 'new') {
          signal?.throwIfAborted();
          signal?.addEventListener('abort', () => started.reject(signal.reason), { once: true });
          waiting.add(request);
          startNext();
        }
        return started.promise;
      },
      release() {
        waiting.delete(request);
        if (state === 'used') used.splice(used.indexOf(key), 1);
        state = 'released';
        startNext();
      },
    };
  };
}
