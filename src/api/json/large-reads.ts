export interface ReadSlot {
  /** True while the call waits for a free slot. */
  readonly isWaiting: boolean;
  /** Resolves when the call has a slot. Rejects if the call is aborted while it waits. */
  acquire(signal: AbortSignal): Promise<void>;
  /** Resolves when the next chunk may be read. See `readInTurn`. */
  waitForTurn(): Promise<void>;
  /** Frees the slot, or stops waiting for a slot. */
  release(): void;
}

/** Calls with the same key have a common quota. The key is the id of a workspace, or any object. */
export type QuotaKey = string | object;

const waitingReads = new Map<QuotaKey, (() => void)[]>();
let isTurnPlanned = false;

/**
 * Calls `read` when the next chunk may be read. All large responses of the process together read one chunk per turn of
 * the event loop, and one key after the other.
 */
export function readInTurn(key: QuotaKey, read: () => void): void {
  const queue = waitingReads.get(key) ?? [];
  queue.push(read);
  waitingReads.set(key, queue);
  planTurn();
}

function planTurn(): void {
  const [next] = waitingReads;
  if (isTurnPlanned || !next) return;
  isTurnPlanned = true;
  setImmediate(() => {
    isTurnPlanned = false;
    const [key, queue] = next;
    const read = queue.shift();
    // A key with further reads moves behind the others.
    waitingReads.delete(key);
    if (queue.length > 0) waitingReads.set(key, queue);
    read?.();
    planTurn();
  });
}

/**
 * Creates a function that creates the slot of a call. At most `maxSlots` calls have a slot at the same time, and at
 * most `maxSlotsPerKey` calls with the same key. The next free slot goes to a call whose key has the fewest slots.
 */
export function createReadSlots(limits: {
  maxSlots: number;
  maxSlotsPerKey: number;
}): (key: QuotaKey) => ReadSlot {
  const slotCounts = new Map<QuotaKey, number>();
  const waitingCalls = new Set<{ key: QuotaKey; start(): void }>();
  let totalCount = 0;

  const countSlots = (key: QuotaKey) => slotCounts.get(key) ?? 0;

  function startNext(): void {
    while (totalCount < limits.maxSlots) {
      const eligibleCalls = [...waitingCalls].filter(({ key }) => countSlots(key) < limits.maxSlotsPerKey);
      // The sort is stable, so among calls with equal counts the one that has waited longest is first.
      const [next] = eligibleCalls.toSorted((one, other) => countSlots(one.key) - countSlots(other.key));
      if (!next) return;
      waitingCalls.delete(next);
      totalCount += 1;
      slotCounts.set(next.key, countSlots(next.key) + 1);
      next.start();
    }
  }

  function freeSlot(key: QuotaKey): void {
    totalCount -= 1;
    const remainingCount = countSlots(key) - 1;
    if (remainingCount > 0) slotCounts.set(key, remainingCount);
    else slotCounts.delete(key);
    startNext();
  }

  return (key) => {
    const started = Promise.withResolvers<void>();
    let hasSlot = false;
    const slot = {
      key,
      start: () => {
        hasSlot = true;
        started.resolve();
      },
    };
    let isReleased = false;
    return {
      get isWaiting() {
        return waitingCalls.has(slot);
      },
      async acquire(signal) {
        if (hasSlot) return started.promise;
        signal.throwIfAborted();
        signal.addEventListener('abort', () => started.reject(signal.reason), { once: true });
        waitingCalls.add(slot);
        startNext();
        return started.promise;
      },
      waitForTurn: () => new Promise((resolve) => readInTurn(key, resolve)),
      release() {
        if (isReleased) return;
        isReleased = true;
        waitingCalls.delete(slot);
        if (hasSlot) freeSlot(key);
      },
    };
  };
}
