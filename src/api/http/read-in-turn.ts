import type { QuotaKey } from '../../slots.ts';

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
