import { Refusal } from '../refusal.ts';

/**
 * Calls a minute that Slack allows at least: these many are taken here, and no more (docs.slack.dev, "Rate limits").
 * Special ones allow "hundreds". Posting has a limit of its own.
 */
const PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100, special: 600 };
export type Tier = keyof typeof PER_MINUTE | 'posting';

const MINUTE_MS = 60_000;
/** One message a second in each channel. */
const POSTING_MS = 1_000;
/** conversations.history and .replies of an app that is sold but not in Slack's Marketplace. */
const UNLISTED = new Set(['conversations.history', 'conversations.replies']);
const UNLISTED_MESSAGES = 15;

/** Refused for now; HTTP 429 with Retry-After. */
export class RateLimited extends Refusal {
  /** Whole seconds. */
  readonly retryAfter: number;

  constructor(waitMs: number) {
    super('ratelimited');
    this.retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/** Counts the calls of each method, and of posting in each channel. */
export class Limits {
  readonly #now: () => number;
  readonly #unlisted: boolean;
  readonly #calls = new Map<string, number[]>();

  /** `unlisted`: the app is distributed, but not through the Marketplace. */
  constructor(now: () => number, unlisted: boolean) {
    this.#now = now;
    this.#unlisted = unlisted;
  }

  /** Messages that one call of conversations.history or .replies brings at most. */
  get messagesAtOnce(): number {
    return this.#unlisted ? UNLISTED_MESSAGES : Infinity;
  }

  /** Counts one call, or throws {@link RateLimited}; a refused call does not count. */
  demand(method: string, tier: Tier, channel: string): void {
    if (tier === 'posting') {
      this.#take(`${method} ${channel}`, 1, POSTING_MS);
      return;
    }
    const most = this.#unlisted && UNLISTED.has(method) ? 1 : PER_MINUTE[tier];
    this.#take(method, most, MINUTE_MS);
  }

  #take(key: string, most: number, withinMs: number): void {
    const now = this.#now();
    const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < withinMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= most) throw new RateLimited(oldest + withinMs - now);
    this.#calls.set(key, [...recent, now]);
  }
}
