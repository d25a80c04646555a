import { createCache } from '../../cache/cache.ts';

/** Nobody installs an app so often; behind one address there may be a whole company. */
const MAX_VISITS = 120;
const WINDOW_MS = 60_000;
const MAX_VISITORS = 10_000;

/**
 * Whether somebody may come just now: nobody has to have signed a visit to the pages for installing. Where there
 * are too many, those who haven't come for the longest are forgotten: nobody is refused because of others. `clock`: ms on
 * a clock that goes on.
 */
export function visitLimit(clock: () => number, maxVisits = MAX_VISITS): (visitor: string) => boolean {
  const seen = createCache<{ visits: number }>({ maxAgeMs: WINDOW_MS, max: MAX_VISITORS, now: clock });
  return (visitor) => {
    const mine = seen.get(visitor) ?? { visits: 0 };
    if (mine.visits === 0) seen.set(visitor, mine);
    mine.visits += 1;
    return mine.visits <= maxVisits;
  };
}

/** What somebody is told to wait, in seconds. */
export const WAIT_SECONDS = WINDOW_MS / 1000;
