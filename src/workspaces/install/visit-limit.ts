/** Nobody installs an app so often; behind one address there may be a whole company. */
const MAX_VISITS = 120;
const WINDOW_MS = 60_000;
const MAX_VISITORS = 10_000;

/**
 * Whether somebody may come just now: nobody has to have signed a visit to the pages for installing. Those who came
 * first are forgotten where there are too many: nobody is refused because of others. `clock`: ms on a clock that goes
 * on.
 */
export function visitLimit(clock: () => number, maxVisits = MAX_VISITS): (visitor: string) => boolean {
  const seen = new Map<string, { count: number; until: number }>();
  return (visitor) => {
    const now = clock();
    const mine = seen.get(visitor);
    if (mine && now < mine.until) {
      mine.count += 1;
      return mine.count <= maxVisits;
    }
    seen.delete(visitor);
    // Windows are all as long, so that those that end first stand first.
    for (const [old, { until }] of seen) {
      if (now < until && seen.size < MAX_VISITORS) break;
      seen.delete(old);
    }
    seen.set(visitor, { count: 1, until: now + WINDOW_MS });
    return true;
  };
}

/** What somebody is told to wait, in seconds. */
export const WAIT_SECONDS = WINDOW_MS / 1000;
