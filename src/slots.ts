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
  interface Waiter {
    number: number;
    start(): void;
  }
  /** Those who wait, by key, in their order. Strangers can make thousands wait, so none of them is looked at twice. */
  const waiting = new Map<QuotaKey, Set<Waiter>>();
  const used = new Map<QuotaKey, number>();
  let [usedCount, lastNumber] = [0, 0];

  function countUsed(key: QuotaKey, change: number): void {
    usedCount += change;
    const count = (used.get(key) ?? 0) + change;
    if (count === 0) used.delete(key);
    else used.set(key, count);
  }

  function stopWaiting(key: QuotaKey, waiter: Waiter): void {
    const waiters = waiting.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) waiting.delete(key);
  }

  function startNext(): void {
    if (usedCount >= limits.maxSlots) return;
    let next: { key: QuotaKey; count: number; waiter: Waiter } | undefined;
    for (const [key, [waiter]] of waiting) {
      const count = used.get(key) ?? 0;
      if (!waiter || count >= limits.maxSlotsPerKey) continue;
      // Among keys with equal counts the one that has waited longest is next.
      const isSooner =
        count < (next?.count ?? Infinity) || (count === next?.count && waiter.number < next.waiter.number);
      if (isSooner) next = { key, count, waiter };
    }
    if (!next) return;
    stopWaiting(next.key, next.waiter);
    countUsed(next.key, 1);
    next.waiter.start();
  }

  return (key) => {
    const started = Promise.withResolvers<void>();
    let state: 'new' | 'used' | 'released' = 'new';
    const waiter: Waiter = {
      number: 0,
      start: () => {
        state = 'used';
        started.resolve();
      },
    };
    return {
      get isWaiting() {
        return waiting.get(key)?.has(waiter) ?? false;
      },
      async acquire(signal) {
        if (state === 'new') {
          signal?.throwIfAborted();
          signal?.addEventListener('abort', () => started.reject(signal.reason), { once: true });
          lastNumber += 1;
          waiter.number = lastNumber;
          waiting.set(key, (waiting.get(key) ?? new Set()).add(waiter));
          startNext();
        }
        return started.promise;
      },
      release() {
        stopWaiting(key, waiter);
        if (state === 'used') countUsed(key, -1);
        state = 'released';
        startNext();
      },
    };
  };
}
