import { LRUCache } from 'lru-cache';
import { limitEntries } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { renderCount } from '../words.ts';
import type { Actor } from './actor.ts';
import { NotAllowed } from './not-allowed.ts';

/** The rate of a token bucket: `burst` is the size of the bucket, `perSecond` is its refill rate. */
interface Rate {
  burst: number;
  perSecond: number;
}

/** The kinds of limited work. RATES describes each kind. */
type LimitKind = 'request' | 'typing' | 'parsing' | 'costly';
type LimitScope = 'member' | 'tenant';
/** All rates of a list apply at the same time. A fast rate limits bursts, and a slow rate limits longer periods. */
export type Rates = Readonly<Record<LimitKind, Readonly<Record<LimitScope, readonly Rate[]>>>>;

/**
 * Limits for one member and for one tenant in each instance. Each limit leaves room for the busiest member and the
 * busiest tenant that we expect:
 *
 * | kind | the busiest member | the busiest tenant |
 * | --- | --- | --- |
 * | `request` | turns pages three times per second for 90 seconds; schedules 180 posts in an hour, with ten requests each | 2,000 people press a button of Monday's digest within a minute |
 * | `typing` | writes ten letters per second; for six seconds, holds a key that repeats 30 times per second | 20 people who type without a pause |
 * | `parsing` | for 20 seconds, writes ten letters per second in a form with a list of 20 moments, which is parsed again with each letter | 60 people who type without a pause in a form with a date and time |
 * | `costly` | previews a digest, exports lists and shares posts 30 times in a few minutes | ten such people |
 */
export const RATES: Rates = {
  /** Commands, presses, choices, forms, shortcuts, mentions, direct messages and visits to Home. */
  request: {
    member: [
      { burst: 20, perSecond: 5 },
      { burst: 300, perSecond: 0.5 },
    ],
    tenant: [{ burst: 3_000, perSecond: 50 }],
  },
  /** Typed letters in a field that updates its form, and searches in menus. */
  typing: {
    member: [
      { burst: 60, perSecond: 20 },
      { burst: 600, perSecond: 10 },
    ],
    tenant: [{ burst: 6_000, perSecond: 200 }],
  },
  /**
   * Steps of parsing dates and times (src/when/limits.ts). A step takes 5 µs. Most phrases take 30 steps, a list of 20
   * moments takes 500, and a request takes 2,400 at most (MAX_STEPS).
   */
  parsing: {
    member: [
      { burst: 12_000, perSecond: 6_000 },
      { burst: 60_000, perSecond: 2_000 },
    ],
    tenant: [{ burst: 200_000, perSecond: 20_000 }],
  },
  /** Files, previews and messages to other people. */
  costly: { member: [{ burst: 30, perSecond: 1 / 20 }], tenant: [{ burst: 300, perSecond: 0.5 }] },
};

/**
 * Maximum number of buckets in memory. A bucket takes about 200 bytes. The least recently used buckets are evicted. An
 * evicted member or tenant starts again with a full bucket.
 */
const MAX_BUCKETS = 50_000;
/** Minimum time between two log lines about the same limit. */
const LOG_INTERVAL_MS = MINUTE_MS;
/**
 * Minimum time between two notifications of the same person about a limit. Applies to requests whose only possible
 * response is a new message.
 */
const NOTIFY_INTERVAL_MS = 10_000;

/** Report of a reached limit. `refusedCount`: number of refused requests since the last report. */
export interface ReachedLimit extends Actor {
  limit: LimitKind;
  scope: LimitScope;
  refusedCount: number;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

const PROBLEMS: Readonly<Record<LimitKind, Readonly<Record<LimitScope, string>>>> = {
  request: {
    member: 'That’s too many requests in a short time',
    tenant: 'This workspace sends more requests than I can take',
  },
  typing: {
    member: 'That’s too many searches in a short time',
    tenant: 'This workspace sends more searches than I can take',
  },
  parsing: {
    member: 'You’ve written more words than I can read in a short time',
    tenant: 'This workspace writes more words than I can read',
  },
  costly: {
    member: 'You’ve asked for many files, previews and messages in a short time',
    tenant: 'This workspace asks for more files, previews and messages than I can make',
  },
};

/** The actor sent too many requests and has to wait. Nothing was done, and no input is lost. */
export class RateLimited extends NotAllowed {
  /** The exceeded limit, as the beginning of a sentence. */
  readonly problem: string;
  /** Time until the next request is accepted. */
  readonly seconds: number;
  /** True if the actor was notified less than NOTIFY_INTERVAL_MS ago. */
  readonly wasRecentlyNotified: boolean;
  constructor({
    problem,
    seconds,
    wasRecentlyNotified,
  }: Pick<RateLimited, 'problem' | 'seconds' | 'wasRecentlyNotified'>) {
    super({ text: `${problem}, so nothing was done. Try again in ${renderCount(seconds, 'second')}.` });
    this.name = 'RateLimited';
    this.problem = problem;
    this.seconds = seconds;
    this.wasRecentlyNotified = wasRecentlyNotified;
  }
}

/** Times are in ms, from the monotonic `clock` option. */
interface Bucket {
  tokens: number[];
  refilledAt: number;
  refusedCount: number;
  loggedAt: number;
  notifiedAt: number;
}

function createFullBucket(limits: readonly Rate[], now: number): Bucket {
  const NEVER = Number.NEGATIVE_INFINITY;
  const tokens = limits.map(({ burst }) => burst);
  return { tokens, refilledAt: now, refusedCount: 0, loggedAt: NEVER, notifiedAt: NEVER };
}

export function createRateLimits(options: {
  rates: Rates;
  /** True if this instance serves several tenants. If false, only members have limits. */
  isMultiTenant: boolean;
  /** Monotonic clock, ms. */
  clock: () => number;
  /** Called for each refused request. */
  onRefused?: ((reached: Omit<ReachedLimit, 'refusedCount'>) => void) | undefined;
  /** Called at most once per minute for each reached limit. */
  onReached?: ((reached: ReachedLimit) => void) | undefined;
  /** Defaults to MAX_BUCKETS. */
  maxBuckets?: number;
}) {
  const { rates, isMultiTenant, clock, onRefused, onReached, maxBuckets = MAX_BUCKETS } = options;
  const buckets = new LRUCache<string, Bucket>(limitEntries(maxBuckets));

  const refillBucket = (key: string, limits: readonly Rate[], now: number): Bucket => {
    const bucket = buckets.get(key) ?? createFullBucket(limits, now);
    const seconds = (now - bucket.refilledAt) / 1000;
    // Updates the array in place. A new array for each request would be promoted out of V8's young generation.
    limits.forEach(({ burst, perSecond }, index) => {
      bucket.tokens[index] = Math.min(burst, (bucket.tokens[index] ?? burst) + seconds * perSecond);
    });
    bucket.refilledAt = now;
    buckets.set(key, bucket);
    return bucket;
  };

  const createRefusal = (
    limit: LimitKind,
    scope: LimitScope,
    actor: Actor,
    { emptyBucket, memberBucket }: Record<'emptyBucket' | 'memberBucket', Bucket>,
  ) => {
    const now = clock();
    const reached = { limit, scope, workspace: actor.workspace, user: actor.user } as const;
    onRefused?.(reached);
    emptyBucket.refusedCount += 1;
    if (now - emptyBucket.loggedAt >= LOG_INTERVAL_MS) {
      onReached?.({ ...reached, refusedCount: emptyBucket.refusedCount });
      emptyBucket.loggedAt = now;
      emptyBucket.refusedCount = 0;
    }
    // Each member has their own interval, so every member is notified of the tenant's limit.
    const wasRecentlyNotified = now - memberBucket.notifiedAt < NOTIFY_INTERVAL_MS;
    if (!wasRecentlyNotified) memberBucket.notifiedAt = now;
    const waitSeconds = rates[limit][scope].map(
      ({ perSecond }, index) => (1 - (emptyBucket.tokens[index] ?? 1)) / perSecond,
    );
    return new RateLimited({
      problem: PROBLEMS[limit][scope],
      seconds: Math.ceil(Math.max(...waitSeconds)),
      wasRecentlyNotified,
    });
  };

  /** Returns the buckets that count a request. Throws RateLimited if one of them is empty. */
  const findBucketsWithTokens = (limit: LimitKind, actor: Actor): readonly Bucket[] => {
    const now = clock();
    const { member, tenant } = rates[limit];
    const memberBucket = refillBucket(`${limit} ${actor.workspace} ${actor.user}`, member, now);
    if (isEmpty(memberBucket))
      throw createRefusal(limit, 'member', actor, { emptyBucket: memberBucket, memberBucket });
    if (!isMultiTenant) return [memberBucket];
    const tenantBucket = refillBucket(`${limit} ${actor.workspace}`, tenant, now);
    if (isEmpty(tenantBucket))
      throw createRefusal(limit, 'tenant', actor, { emptyBucket: tenantBucket, memberBucket });
    return [memberBucket, tenantBucket];
  };

  return {
    /** Counts one request. Throws RateLimited if the limit is reached. */
    count: (limit: LimitKind, actor: Actor) => takeTokens(findBucketsWithTokens(limit, actor), 1),
    /**
     * Returns a function that counts the parsing steps of one request. Throws RateLimited if earlier requests have used
     * up the limit. The returned function throws RateLimited only on its first call, because the request may have
     * changed something before the second call.
     */
    createStepCounter(actor: Actor): (steps: number) => void {
      findBucketsWithTokens('parsing', actor);
      let buckets: readonly Bucket[] | undefined;
      return (steps) => {
        // Concurrent requests may have emptied the buckets since `createStepCounter` was called.
        buckets ??= findBucketsWithTokens('parsing', actor);
        takeTokens(buckets, steps);
      };
    },
  };
}

function isEmpty({ tokens }: Bucket): boolean {
  return tokens.some((tokenCount) => tokenCount < 1);
}

function takeTokens(buckets: readonly Bucket[], count: number): void {
  for (const { tokens } of buckets)
    for (const index of tokens.keys()) tokens[index] = (tokens[index] ?? 0) - count;
}
