/** The rate of a token bucket: `burst` is the size of the bucket, `perSecond` is its refill rate. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** The kinds of limited work. RATES describes each kind. */
export type LimitKind = 'request' | 'typing' | 'parsing' | 'costly';
export type LimitScope = 'member' | 'tenant';
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
