import type { Actor } from './actor.ts';
import { NotAllowed } from './not-allowed.ts';
import type { Limited, Rate, Rates, Whose } from './rates.ts';

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
   * Takes the steps of one request's readings. Throws RateLimited where too many were taken before: at once, and at the
   * first step; never later, for by then something may have been done.
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
  /** Of each rate, as of `at`. */
  tokens: number[];
  at: number;
  refused: number;
  loggedAt: number;
  toldAt: number;
}

function full(limits: readonly Rate[], now: number): Bucket {
  const never = Number.NEGATIVE_INFINITY;
  const tokens = limits.map(({ atOnce }) => atOnce);
  return { tokens, at: now, refused: 0, loggedAt: never, toldAt: never };
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

  const bucketOf = (key: string, limits: readonly Rate[], now: number): Bucket => {
    const bucket = buckets.get(key) ?? full(limits, now);
    const seconds = (now - bucket.at) / 1000;
    // In place: an array made for each request outlives the young generation with its bucket.
    limits.forEach(({ atOnce, perSecond }, index) => {
      bucket.tokens[index] = Math.min(atOnce, (bucket.tokens[index] ?? atOnce) + seconds * perSecond);
    });
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
    who: Actor,
    { empty, own }: Record<'empty' | 'own', Bucket>,
  ) => {
    const now = clock();
    const reached = { limit, whose, workspace: who.workspace, user: who.user } as const;
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
    const waits = rates[limit][whose].map(
      ({ perSecond }, index) => (1 - (empty.tokens[index] ?? 1)) / perSecond,
    );
    return new RateLimited({
      problem: PROBLEMS[limit][whose],
      seconds: Math.ceil(Math.max(...waits)),
      isTold,
    });
  };

  /** Those that are to be taken from, with at least one token of each rate. */
  const filled = (limit: Limited, who: Actor): readonly Bucket[] => {
    const now = clock();
    const { member, tenant } = rates[limit];
    const own = bucketOf(`${limit} ${who.workspace} ${who.user}`, member, now);
    if (isEmpty(own)) throw refuse(limit, 'member', who, { empty: own, own });
    if (!hasTenants) return [own];
    const all = bucketOf(`${limit} ${who.workspace}`, tenant, now);
    if (isEmpty(all)) throw refuse(limit, 'tenant', who, { empty: all, own });
    return [own, all];
  };

  return {
    count: (limit, who) => take(filled(limit, who), 1),
    charge(who) {
      filled('reading', who);
      let buckets: readonly Bucket[] | undefined;
      return (steps) => {
        // Others that came at the same time may have taken all meanwhile.
        buckets ??= filled('reading', who);
        take(buckets, steps);
      };
    },
  };
}

function isEmpty({ tokens }: Bucket): boolean {
  return tokens.some((left) => left < 1);
}

function take(buckets: readonly Bucket[], count: number): void {
  for (const { tokens } of buckets)
    for (const index of tokens.keys()) tokens[index] = (tokens[index] ?? 0) - count;
}
