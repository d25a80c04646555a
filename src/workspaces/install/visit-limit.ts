/** Nobody installs an app so often; behind a proxy everybody comes from its address, and it is enough for all. */
const MOST_VISITS = 120;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/**
 * Whether somebody may come from this address just now: each visit to the pages for installing writes or looks up a
 * row, and nobody has to have signed it. `clock`: ms on a clock that goes on.
 */
export function visitLimit(clock: () => number): (address: string) => boolean {
  const seen = new Map<string, { count: number; until: number }>();
  return (address) => {
    const now = clock();
    const mine = seen.get(address);
    if (mine && now < mine.until) {
      mine.count += 1;
      return mine.count <= MOST_VISITS;
    }
    // Windows are all as long, so that those that end first stand first.
    seen.delete(address);
    for (const [old, { until }] of seen) {
      if (now < until) break;
      seen.delete(old);
    }
    if (seen.size >= MOST_ADDRESSES) return false;
    seen.set(address, { count: 1, until: now + WINDOW_MS });
    return true;
  };
}

/** What somebody is told to wait, in seconds. */
export const WAIT_SECONDS = WINDOW_MS / 1000;
