import type { Actor } from './actor.ts';
import { NotAllowed } from './not-allowed.ts';

/** So many in one go; then each takes `1 / perSecond` s to come back. */
interface Rate {
  atOnce: number;
  perSecond: number;
}

/** What is limited: see RATES. */
type Limited = 'request' | 'typing' | 'reading' | 'costly';
type Whose = 'member' | 'tenant';
export type Rates = Readonly<Record<Limited, Readonly<Record<Whose, Rate>>>>;

/**
 * Limits that people never reach, of one member and of one tenant, in each instance. They are our own decisions:
 *
 * | what | the busiest member | the busiest tenant |
 * | --- | --- | --- |
 * | `request` | turns pages three times a second for a minute and a half; schedules 180 posts in an hour, ten requests each | 2,000 people press a button of Monday's digest within a minute |
 * | `typing` | holds a key that repeats 30 times a second for half a minute; writes ten letters a second | 20 people who never stop writing |
 * | `reading` | writes a text at seven letters a second below a list of 20 moments, which is read again with each | 60 people who write without end below a date and time |
 * | `costly` | previews a digest, exports lists and shares posts 30 times in a few minutes | ten such people |
 */
export const RATES: Rates = {
  /** Commands, presses, choices, forms, shortcuts, mentions, direct messages and visits to Home. */
  request: { member: { atOnce: 300, perSecond: 0.5 }, tenant: { atOnce: 3_000, perSecond: 50 } },
  /** Letters in a live field, and searches in menus. */
  typing: { member: { atOnce: 600, perSecond: 10 }, tenant: { atOnce: 6_000, perSecond: 200 } },
  /**
   * Steps of reading dates and times (src/when/steps.ts), 5 µs each: most phrases take 30, a list of 20 moments 600,
   * and one that is made to be slow up to 4,000.
   */
  reading: {
    member: { atOnce: 40_000, perSecond: 4_000 },
    tenant: { atOnce: 200_000, perSecond: 20_000 },
  },
  /** Files, previews, and messages to others that somebody asks for. */
  costly: { member: { atOnce: 30, perSecond: 1 / 20 }, tenant: { atOnce: 300, perSecond: 0.5 } },
};

/** Buckets in memory, about 200 bytes each. Those used longest ago make room, and begin full when they come back. */
const MAX_BUCKETS = 50_000;
/** An operator reads of each limit that is reached once in so long, ms. */
const LOG_MS = 60_000;
/** What Slack takes no answer to is answered with a message, and not more often than this, ms. */
const TELL_MS = 10_000;

/** A limit was reached. `refused`: how often since it was told last. */
export interface ReachedLimit extends Actor {
  limit: Limited;
  whose: Whose;
  refused: number;
}

export interface RateLimits {
  /** Throws RateLimited where there were too many. */
  count(limit: Limited, who: Actor): void;
  /**
   * Takes the steps of one request's readings. Throws RateLimited at the first of them where too many were taken
   * before; never later, for by then something may have been done.
   */
  charge(who: Actor): (steps: number) => void;
}

const PROBLEMS: Readonly<Record<Limited, Readonly<Record<Whose, string>>>> = {
  request: {
    member: 'That’s too many requests in a short time',
    tenant: 'This workspace sends more requests than I can take',
  },
  typing: {
    member: 'That’s too many searches in a short time',
    tenant: 'This workspace sends more searches than I can take',
  },
  reading: {
    member: 'You’ve written more words than I can read in a short time',
    tenant: 'This workspace writes more words than I can read',
  },
  costly: {
    member: 'You’ve asked for many files, previews and messages in a short time',
    tenant: 'This workspace asks for more files, previews and messages than I can make',
  },
};

/** Somebody has to wait. Nothing was done, and nothing that they wrote is lost. */
export class RateLimited extends NotAllowed {
  readonly problem: string;
  readonly seconds: number;
  /** They have been told a moment ago. */
  readonly isTold: boolean;
  constructor({ problem, seconds, isTold }: Pick<RateLimited, 'problem' | 'seconds' | 'isTold'>) {
    super({ text: `${problem}, so nothing was done. Try again in ${secondsText(seconds)}.` });
    this.name = 'RateLimited';
    this.problem = problem;
    this.seconds = seconds;
    this.isTold = isTold;
  }
}

export function secondsText(seconds: number): string {
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

interface Bucket {
  /** As of `at`. */
  tokens: number;
  at: number;
  refused: number;
  loggedAt: number;
  toldAt: number;
}

export function createRateLimits(options: {
  rates: Rates;
  /** Whether this instance serves several tenants: else there is nobody to protect from the only one. */
  hasTenants: boolean;
  /** ms on a clock that goes on. */
  clock: () => number;
  /** Each time that somebody is refused. */
  onRefused?: ((refused: Omit<ReachedLimit, 'refused'>) => void) | undefined;
  /** Once in a minute for each limit that is reached. */
  onReached?: ((reached: ReachedLimit) => void) | undefined;
  /** Defaults to MAX_BUCKETS. */
  maxBuckets?: number;
}): RateLimits {
  const { rates, hasTenants, clock, onRefused, onReached, maxBuckets = MAX_BUCKETS } = options;
  const buckets = new Map<string, Bucket>();

  const bucketOf = (key: string, { atOnce, perSecond }: Rate, now: number): Bucket => {
    const never = Number.NEGATIVE_INFINITY;
    const full = { tokens: atOnce, at: now, refused: 0, loggedAt: never, toldAt: never };
    const bucket = buckets.get(key) ?? full;
    bucket.tokens = Math.min(atOnce, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    // The map keeps the order in which they were used.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxBuckets) makeRoom();
    return bucket;
  };

  /** Many at once: a map finds its first key more slowly the more were removed before it. */
  const makeRoom = (): void => {
    let left = Math.ceil(maxBuckets / 10);
    for (const key of buckets.keys()) {
      if (left === 0) break;
      buckets.delete(key);
      left -= 1;
    }
  };

  const refuse = (
    limit: Limited,
    whose: Whose,
    { workspace, user }: Actor,
    { empty, own }: Refused,
  ): never => {
    const now = clock();
    const reached = { limit, whose, workspace, user } as const;
    onRefused?.(reached);
    empty.refused += 1;
    if (now - empty.loggedAt >= LOG_MS) {
      onReached?.({ ...reached, refused: empty.refused });
      empty.loggedAt = now;
      empty.refused = 0;
    }
    // Each person is told, of their tenant's limit too.
    const isTold = now - own.toldAt < TELL_MS;
    if (!isTold) own.toldAt = now;
    const seconds = Math.ceil((1 - empty.tokens) / rates[limit][whose].perSecond);
    throw new RateLimited({ problem: PROBLEMS[limit][whose], seconds, isTold });
  };

  /** Those that are to be taken from, with at least one token each. */
  const filled = (limit: Limited, who: Actor): readonly Bucket[] => {
    const now = clock();
    const { member, tenant } = rates[limit];
    const own = bucketOf(`${limit} ${who.workspace} ${who.user}`, member, now);
    if (own.tokens < 1) return refuse(limit, 'member', who, { empty: own, own });
    if (!hasTenants) return [own];
    const all = bucketOf(`${limit} ${who.workspace}`, tenant, now);
    return all.tokens < 1 ? refuse(limit, 'tenant', who, { empty: all, own }) : [own, all];
  };

  const take = (buckets: readonly Bucket[], count: number) => {
    for (const bucket of buckets) bucket.tokens -= count;
  };

  return {
    count: (limit, who) => take(filled(limit, who), 1),
    charge(who) {
      let buckets: readonly Bucket[] | undefined;
      return (steps) => {
        buckets ??= filled('reading', who);
        take(buckets, steps);
      };
    },
  };
}

interface Refused {
  empty: Bucket;
  own: Bucket;
}
