import { RespondingApp } from '../../src/handlers/bolt/bolt.ts';

const { processEvent } = RespondingApp.prototype;
let requestsInFlight = { count: 0 };
const idleListeners = new Set<() => void>();

/**
 * Counts the bot's requests in flight from now on, for `waitUntilIdle`. Files of tests share a process, so requests of
 * earlier bots, which may never end, don't count.
 */
export function countRequestsInFlight(): void {
  const ownRequests = { count: 0 };
  requestsInFlight = ownRequests;
  RespondingApp.prototype.processEvent = async function (event) {
    ownRequests.count += 1;
    try {
      await processEvent.call(this, event);
    } finally {
      ownRequests.count -= 1;
      if (ownRequests.count === 0) for (const notifyIdle of idleListeners) notifyIdle();
    }
  };
}

/** Resolves when the bot is idle. `countRequestsInFlight` must be called before the bot starts. */
export async function waitUntilIdle(): Promise<void> {
  while (requestsInFlight.count > 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    idleListeners.add(resolve);
    await promise;
    idleListeners.delete(resolve);
  }
}
