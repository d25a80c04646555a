/** A token bucket: `atOnce` is its size, and `perSecond` its refill rate. */
export interface Rate {
  atOnce: number;
  perSecond: number;
}

/** The kinds of limited work: see RATES. */
export type LimitKind = 'request' | 'typing' | 'reading' | 'costly';
export type LimitScope = 'member' | 'tenant';
/** All rates of a list apply: a fast one for bursts, a slow one for longer times. */
export type Rates = Readonly<Record<LimitKind, Readonly<Record<LimitScope, readonly Rate[]>>>>;

/**
 * Limits for one member and for one tenant, in each instance. People don't reach them. Our own decisions, made for these
 * cases:
 *
 * | what | the busiest member | the busiest tenant |
 * | --- | --- | --- |
 * | `request` | turns pages three times a second for a minute and a half; schedules 180 posts in an hour, ten requests each | 2,000 people press a button of Monday's digest within a minute |
 * | `typing` | writes ten letters a second; holds a key that repeats 30 times a second for six seconds | 20 people who never stop writing |
 * | `reading` | writes a text at ten letters a second for half a minute below a list of 20 moments, which is read again with each | 60 people who write without end below a date and time |
 * | `costly` | previews a digest, exports lists and shares posts 30 times in a few minutes | ten such people |
 */
export const RATES: Rates = {
  /** Commands, presses, choices, forms, shortcuts, mentions, direct messages and visits to Home. */
  request: {
    member: [
      { atOnce: 20, perSecond: 5 },
      { atOnce: 300, perSecond: 0.5 },
    ],
    tenant: [{ atOnce: 3_000, perSecond: 50 }],
  },
  /** Typed letters in a live field, and searches in menus. */
  typing: {
    member: [
      { atOnce: 60, perSecond: 20 },
      { atOnce: 600, perSecond: 10 },
    ],
    tenant: [{ atOnce: 6_000, perSecond: 200 }],
  },
  /**
   * Steps of parsing dates and times (src/when/steps.ts), 5 µs each. Most phrases take 30 steps, a list of 20 moments takes
   * 600, and a phrase that was made to be slow takes up to 4,000.
   */
  reading: {
    member: [
      { atOnce: 12_000, perSecond: 6_000 },
      { atOnce: 60_000, perSecond: 2_000 },
    ],
    tenant: [{ atOnce: 200_000, perSecond: 20_000 }],
  },
  /** Requested files, previews and messages to others. */
  costly: { member: [{ atOnce: 30, perSecond: 1 / 20 }], tenant: [{ atOnce: 300, perSecond: 0.5 }] },
};
