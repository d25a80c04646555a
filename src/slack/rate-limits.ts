import type { Actor } from './actor.ts';
import { NotAllowed } from './not-allowed.ts';
import type { LimitKind, LimitScope, Rate, Rates } from './rates.ts';

/** Buckets in memory, about 200 bytes each. The least recently used are evicted, and are full when they return. */
const MAX_BUCKETS = 50_000;
/** Minimum time between two log lines about the same limit. */
const LOG_INTERVAL_MS = 60_000;
/** Minimum time between two messages to the same person, if a request can't be answered without a message. */
const NOTIFY_INTERVAL_MS = 10_000;

/** A limit was reached. `refused`: number of refusals since the last report. */
export interface ReachedLimit extends Actor {
  limit: LimitKind;
  scope: LimitScope;
  refused: number;
}

export interface RateLimits {
  /** Counts one request. Throws RateLimited if there were too many. */
  count(limit: LimitKind, actor: Actor): void;
  /**
   * Returns a function that counts the parsing steps of one request. Throws RateLimited if too many were counted
   * before: at once, or at the first step, but never later, because by then the request may have changed something.
   */
  charge(actor: Actor): (steps: number) => void;
}

const PROBLEMS: Readonly<Record<LimitKind, Readonly<Record<LimitScope, string>>>> = {
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

/** The person has to wait. Nothing was done, and nothing that they wrote is lost. */
export class RateLimited extends NotAllowed {
  readonly problem: string;
  readonly seconds: number;
  /** The person was notified a moment ago. */
  readonly isNotified: boolean;
  constructor({ problem, seconds, isNotified }: Pick<RateLimited, 'problem' | 'seconds' | 'isNotified'>) {
    super({ text: `${problem}, so nothing was done. Try again in ${secondsText(seconds)}.` });
    this.name = 'RateLimited';
    this.problem = problem;
    this.seconds = seconds;
    this.isNotified = isNotified;
  }
}

export function secondsText(seconds: number): string {
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

interface Bucket {
  /** Tokens left for each rate, as of `at` (ms). */
  tokens: number[];
  at: number;
  refused: number;
  loggedAt: number;
  notifiedAt: number;
}

function createFullBucket(limits: readonly Rate[], now: number): Bucket {
  const never = Number.NEGATIVE_INFINITY;
  const tokens = limits.map(({ atOnce }) => atOnce);
  return { tokens, at: now, refused: 0, loggedAt: never, notifiedAt: never };
}

export function createRateLimits(options: {
  rates: Rates;
  /** Whether this instance serves several tenants. If not, tenants have no limits. */
  hasTenants: boolean;
  /** Monotonic clock, ms. */
  clock: () => number;
  /** Called for each refusal. */
  onRefused?: ((refused: Omit<ReachedLimit, 'refused'>) => void) | undefined;
  /** Called at most once a minute for each limit that is reached. */
  onReached?: ((reached: ReachedLimit) => void) | undefined;
  /** Defaults to MAX_BUCKETS. */
  maxBuckets?: number;
}): RateLimits {
  const { rates, hasTenants, clock, onRefused, onReached, maxBuckets = MAX_BUCKETS } = options;
  const buckets = new Map<string, Bucket>();

  const refillBucket = (key: string, limits: readonly Rate[], now: number): Bucket => {
    const bucket = buckets.get(key) ?? createFullBucket(limits, now);
    const seconds = (now - bucket.at) / 1000;
    // In place: an array made for each request outlives the young generation with its bucket.
    limits.forEach(({ atOnce, perSecond }, index) => {
      bucket.tokens[index] = Math.min(atOnce, (bucket.tokens[index] ?? atOnce) + seconds * perSecond);
    });
    bucket.at = now;
    // Insert again, so that the map is in order of last use.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxBuckets) evictOldest();
    return bucket;
  };

  /** Evicts a tenth at once: a map finds its first key more slowly the more keys were removed before it. */
  const evictOldest = (): void => {
    let left = Math.ceil(maxBuckets / 10);
    for (const key of buckets.keys()) {
      if (left === 0) break;
      buckets.delete(key);
      left -= 1;
    }
  };

  const refuse = (
    limit: LimitKind,
    scope: LimitScope,
    actor: Actor,
    { empty, own }: Record<'empty' | 'own', Bucket>,
  ) => {
    const now = clock();
    const reached = { limit, scope, workspace: actor.workspace, user: actor.user } as const;
    onRefused?.(reached);
    empty.refused += 1;
    if (now - empty.loggedAt >= LOG_INTERVAL_MS) {
      onReached?.({ ...reached, refused: empty.refused });
      empty.loggedAt = now;
      empty.refused = 0;
    }
    // Each person is notified, also of their tenant's limit.
    const isNotified = now - own.notifiedAt < NOTIFY_INTERVAL_MS;
    if (!isNotified) own.notifiedAt = now;
    const waits = rates[limit][scope].map(
      ({ perSecond }, index) => (1 - (empty.tokens[index] ?? 1)) / perSecond,
    );
    return new RateLimited({
      problem: PROBLEMS[limit][scope],
      seconds: Math.ceil(Math.max(...waits)),
      isNotified,
    });
  };

  /** The buckets that count a request. Throws RateLimited if one of them is empty. */
  const bucketsWithTokens = (limit: LimitKind, actor: Actor): readonly Bucket[] => {
    const now = clock();
    const { member, tenant } = rates[limit];
    const own = refillBucket(`${limit} ${actor.workspace} ${actor.user}`, member, now);
    if (isEmpty(own)) throw refuse(limit, 'member', actor, { empty: own, own });
    if (!hasTenants) return [own];
    const all = refillBucket(`${limit} ${actor.workspace}`, tenant, now);
    if (isEmpty(all)) throw refuse(limit, 'tenant', actor, { empty: all, own });
    return [own, all];
  };

  return {
    count: (limit, actor) => takeTokens(bucketsWithTokens(limit, actor), 1),
    charge(actor) {
      bucketsWithTokens('reading', actor);
      let buckets: readonly Bucket[] | undefined;
      return (steps) => {
        // Concurrent requests may have emptied the buckets meanwhile.
        buckets ??= bucketsWithTokens('reading', actor);
        takeTokens(buckets, steps);
      };
    },
  };
}

function isEmpty({ tokens }: Bucket): boolean {
  return tokens.some((left) => left < 1);
}

function takeTokens(buckets: readonly Bucket[], count: number): void {
  for (const { tokens } of buckets)
    for (const index of tokens.keys()) tokens[index] = (tokens[index] ?? 0) - count;
}
