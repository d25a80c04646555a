import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';

/**
 * Calls per minute by tier (docs.slack.dev, "Rate limits"). Slack allows at least this number, the emulator no more.
 * For special tiers, the documentation says "hundreds". Posting messages has its own limit.
 */
const CALLS_PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100, special: 600 };
export type Tier = keyof typeof CALLS_PER_MINUTE | 'posting';

const MINUTE_MS = 60_000;
/** Methods with a lower limit for an app that is distributed, but not through the Marketplace. */
const UNLISTED_METHODS = new Set(['conversations.history', 'conversations.replies']);
const MAX_UNLISTED_MESSAGES = 15;

/** Too many calls. The HTTP status is 429, with the header Retry-After. */
export class RateLimitError extends Refusal {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(waitMs: number) {
    super('ratelimited');
    this.retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

export class RateLimits {
  readonly #now: () => number;
  readonly #isUnlisted: boolean;
  readonly #calls = new Map<string, number[]>();

  constructor(now: () => number, isUnlisted: boolean) {
    this.#now = now;
    this.#isUnlisted = isUnlisted;
  }

  /** The maximum number of messages that conversations.history and .replies return. */
  get maxMessages(): number {
    return this.#isUnlisted ? MAX_UNLISTED_MESSAGES : Infinity;
  }

  /** Counts a call, or throws {@link RateLimitError}. A refused call doesn't count. */
  countCall(method: string, tier: Tier, channel: string): void {
    if (tier === 'posting') {
      this.#countAll([
        { key: `${method} ${channel}`, maxCalls: 1, withinMs: SLACK_LIMITS.messageIntervalMs.value },
        { key: method, maxCalls: SLACK_LIMITS.messagesPerMinute.value, withinMs: MINUTE_MS },
      ]);
      return;
    }
    const maxCalls = this.#isUnlisted && UNLISTED_METHODS.has(method) ? 1 : CALLS_PER_MINUTE[tier];
    this.#countAll([{ key: method, maxCalls, withinMs: MINUTE_MS }]);
  }

  clear(): void {
    this.#calls.clear();
  }

  /** Counts a call in all of these counters. If one of them is full, counts it in none, and throws. */
  #countAll(counters: readonly { key: string; maxCalls: number; withinMs: number }[]): void {
    const now = this.#now();
    const counted = counters.map(({ key, maxCalls, withinMs }) => {
      const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < withinMs);
      const [oldest] = recent;
      const waitMs = oldest !== undefined && recent.length >= maxCalls ? oldest + withinMs - now : 0;
      return { key, recent, waitMs };
    });
    const longestWaitMs = Math.max(...counted.map(({ waitMs }) => waitMs));
    if (longestWaitMs > 0) throw new RateLimitError(longestWaitMs);
    for (const { key, recent } of counted) this.#calls.set(key, [...recent, now]);
  }
}
