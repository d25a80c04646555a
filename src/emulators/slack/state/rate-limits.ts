import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';

/**
 * Calls a minute that Slack allows at least: these many are taken here, and no more (docs.slack.dev, "Rate limits").
 * Special ones allow "hundreds". Posting has a limit of its own.
 */
const CALLS_PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100, special: 600 };
export type Tier = keyof typeof CALLS_PER_MINUTE | 'posting';

const MINUTE_MS = 60_000;
/** conversations.history and .replies of an app that is sold but not in Slack's Marketplace. */
const UNLISTED_METHODS = new Set(['conversations.history', 'conversations.replies']);
const MAX_UNLISTED_MESSAGES = 15;

/** Refused for now; HTTP 429 with Retry-After. */
export class RateLimitError extends Refusal {
  /** Whole seconds. */
  readonly retryAfter: number;

  constructor(waitMs: number) {
    super('ratelimited');
    this.retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/** Counts the calls of each method, and of posting in each channel. */
export class RateLimits {
  readonly #now: () => number;
  readonly #unlisted: boolean;
  readonly #calls = new Map<string, number[]>();

  /** `unlisted`: the app is distributed, but not through the Marketplace. */
  constructor(now: () => number, unlisted: boolean) {
    this.#now = now;
    this.#unlisted = unlisted;
  }

  /** Messages that one call of conversations.history or .replies brings at most. */
  get maxMessages(): number {
    return this.#unlisted ? MAX_UNLISTED_MESSAGES : Infinity;
  }

  /** Counts one call, or throws {@link RateLimitError}; a refused call does not count. */
  countCall(method: string, tier: Tier, channel: string): void {
    if (tier === 'posting') {
      this.#take([
        { key: `${method} ${channel}`, most: 1, withinMs: SLACK_LIMITS.messageIntervalMs.value },
        { key: method, most: SLACK_LIMITS.messagesPerMinute.value, withinMs: MINUTE_MS },
      ]);
      return;
    }
    const most = this.#unlisted && UNLISTED_METHODS.has(method) ? 1 : CALLS_PER_MINUTE[tier];
    this.#take([{ key: method, most, withinMs: MINUTE_MS }]);
  }

  /** Forgets all calls. */
  clear(): void {
    this.#calls.clear();
  }

  /** Counts one call by each of these, or by none of them. */
  #take(counts: readonly { key: string; most: number; withinMs: number }[]): void {
    const now = this.#now();
    const counted = counts.map(({ key, most, withinMs }) => {
      const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < withinMs);
      const [oldest] = recent;
      const wait = oldest !== undefined && recent.length >= most ? oldest + withinMs - now : 0;
      return { key, recent, wait };
    });
    const longest = Math.max(...counted.map(({ wait }) => wait));
    if (longest > 0) throw new RateLimitError(longest);
    for (const { key, recent } of counted) this.#calls.set(key, [...recent, now]);
  }
}
