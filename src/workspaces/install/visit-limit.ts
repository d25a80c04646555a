import { createCache } from '../../cache/cache.ts';

/** Maximum visits per address and window. The limit is high, because a whole company may share an address. */
const MAX_VISITS = 120;
const WINDOW_MS = 60_000;
/** Maximum number of visitors in memory. */
const MAX_VISITORS = 10_000;

/**
 * A rate limit for the install pages, which need no signature. Returns a function that counts a visit and returns
 * whether it is allowed. If there are too many visitors, the least recent ones are evicted, so that no visitor is
 * refused because of other visitors. `clock` is monotonic, in ms.
 */
export function createVisitLimit(clock: () => number, maxVisits = MAX_VISITS): (visitor: string) => boolean {
  const counters = createCache<{ visits: number }>({ maxAgeMs: WINDOW_MS, max: MAX_VISITORS, now: clock });
  return (visitor) => {
    const counter = counters.get(visitor) ?? { visits: 0 };
    if (counter.visits === 0) counters.set(visitor, counter);
    counter.visits += 1;
    return counter.visits <= maxVisits;
  };
}

/** The `Retry-After` header of a refused visit. */
export const RETRY_AFTER_SECONDS = WINDOW_MS / 1000;
