import { LRUCache } from 'lru-cache';
import { NOT_SENT_CAUSES, type Outcome } from '../api/outcome.ts';
import { limitEntries } from '../cache/cache.ts';
import { computeFullJitterMs } from '../engine/backoff.ts';
import type { Pace } from './pace.ts';

/**
 * Circuit breaker of one tenant's service:
 *
 *   closed → open (after consecutive failures) → probing (one call) → closed | open, for longer
 *
 * A wait requested by the service (Retry-After) applies only to calls with the same token.
 */
export type Breaker = ReturnType<typeof createBreaker>;

/** A wait of a service or token. Ordinary calls wait until a probe succeeds. One probe may begin after `endsAt`. */
interface Wait {
  /** Unix time, ms; undefined without a wait. */
  endsAt?: number | undefined;
  isProbing: boolean;
}

/** Default for calls without a `credential`. */
const NO_CREDENTIAL = {};

export function createBreaker(
  pace: Pace['breaker'],
  clock: () => number,
  random: () => number = Math.random,
) {
  let failureCount = 0;
  let openCount = 0;
  const serviceWait: Wait = { isProbing: false };
  /** Waits of tokens, requested by the service. No later outcome shortens a wait. */
  const tokenWaits = new WeakMap<object, Wait>();
  const listeners: (() => void)[] = [];

  const findWaits = (credential: object) =>
    [serviceWait, tokenWaits.get(credential)].flatMap((wait) =>
      wait?.endsAt === undefined ? [] : [{ wait, endsAt: wait.endsAt }],
    );
  const extendTokenWait = (credential: object, waitMs: number) => {
    const wait = tokenWaits.get(credential) ?? { isProbing: false };
    wait.endsAt = Math.max(clock() + waitMs, wait.endsAt ?? 0);
    tokenWaits.set(credential, wait);
  };
  const recordSuccess = (credential: object) => {
    failureCount = 0;
    openCount = 0;
    const endedWaits = findWaits(credential).filter(
      ({ wait, endsAt }) => wait === serviceWait || clock() >= endsAt,
    );
    for (const { wait } of endedWaits) wait.endsAt = undefined;
    if (endedWaits.length > 0) for (const listener of listeners) listener();
  };
  const recordFailure = () => {
    failureCount += 1;
    if (failureCount < pace.failures && serviceWait.endsAt === undefined) return;
    openCount += 1;
    // Half of the delay is fixed. With full jitter, some probes would come too early.
    const openMs = computeFullJitterMs(
      openCount,
      { firstMs: pace.firstMs, maxMs: pace.maxMs },
      () => (1 + random()) / 2,
    );
    serviceWait.endsAt = Math.max(clock() + openMs, serviceWait.endsAt ?? 0);
  };
  const recordOutcome = (outcome: Outcome<unknown>, credential: object) => {
    const retryAfterMs = getRetryAfterMs(outcome);
    // The service isn't the cause if a call wasn't sent, or if no connection was free.
    if (
      outcome.kind === 'not-applied' &&
      (NOT_SENT_CAUSES.includes(outcome.cause) || outcome.cause === 'busy')
    )
      return;
    const isLimited = outcome.kind === 'not-applied' && outcome.cause === 'rate-limited';
    if (isLimited) extendTokenWait(credential, retryAfterMs ?? pace.firstMs);
    else if (retryAfterMs !== undefined && retryAfterMs > 0) extendTokenWait(credential, retryAfterMs);
    // A token's rate limit isn't a failure of the service.
    if (isLimited) return;
    if (isFailure(outcome)) recordFailure();
    else recordSuccess(credential);
  };
  return {
    /** Whether ordinary calls may begin, unless the service asked their token to wait. */
    isClosed: () => serviceWait.endsAt === undefined,
    /**
     * Returns a permit for calls, or the wait before the next attempt. Report the outcome of each call, then release
     * the permit. `probe`: whether the call may probe an open breaker; `now` doesn't wait until a probe is due, unless
     * the service asked for the wait; `by-person` waits for nothing, because a person has pressed a button for this
     * call. `credential` identifies the token.
     */
    enter(
      probe: 'never' | 'when-due' | 'now' | 'by-person' = 'never',
      credential: object = NO_CREDENTIAL,
    ): { report(outcome: Outcome<unknown>): void; release(): void } | { waitMs: number } {
      const waits = findWaits(credential);
      const report = (outcome: Outcome<unknown>) => recordOutcome(outcome, credential);
      if (waits.length === 0) return { report, release: () => undefined };
      const obeyedWaits = waits.filter(
        ({ wait }) => probe !== 'by-person' && (probe !== 'now' || wait !== serviceWait),
      );
      const waitMs = Math.max(0, ...obeyedWaits.map(({ endsAt }) => endsAt - clock()));
      if (waitMs > 0) return { waitMs };
      if (probe === 'never' || waits.some(({ wait }) => wait.isProbing)) return { waitMs: pace.firstMs / 2 };
      for (const { wait } of waits) wait.isProbing = true;
      return {
        report,
        release() {
          for (const { wait } of waits) wait.isProbing = false;
        },
      };
    },
    /** Adds a listener for the end of waits. */
    onClose: (listener: () => void) => {
      listeners.push(listener);
    },
  };
}

/** Returns the wait requested by the service (Retry-After); undefined if there is none. */
function getRetryAfterMs(outcome: Outcome<unknown>): number | undefined {
  const mayHaveWait = outcome.kind === 'not-applied' || outcome.kind === 'unknown';
  return mayHaveWait ? outcome.retryAfterMs : undefined;
}

/** Whether the outcome is a failure of the service or network. A refusal isn't a failure. */
function isFailure(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'not-applied') return true;
  if (outcome.kind !== 'unknown') return false;
  const { cause, status } = outcome;
  return cause === 'timed-out' || cause === 'connection-lost' || (status !== undefined && status >= 500);
}

export type EndpointLimits = ReturnType<typeof createEndpointLimits>;

/** Posts in progress at one service. Low enough for a small service, and for a slow one not to occupy all steps. */
const INITIAL_LIMIT = 8;
const MIN_LIMIT = 4;
/** With calls of 100 ms, of which a post takes two, and its statements, 96 posts at once are 320 posts a second. */
const MAX_LIMIT = 96;
/** Maximum number of limits in memory. Exceeds the expected number of services. */
const MAX_ENDPOINTS = 10_000;

export function createEndpointLimits() {
  const limits = new LRUCache<string, number>(limitEntries(MAX_ENDPOINTS));
  const getLimit = (endpoint: string) => limits.get(endpoint) ?? INITIAL_LIMIT;
  return {
    getLimit,
    /** Halves the limit after a failure (see `isFailure`). Increments the limit after any other outcome. */
    report(endpoint: string, outcome: Outcome<unknown>) {
      const nextLimit = isFailure(outcome) ? Math.floor(getLimit(endpoint) / 2) : getLimit(endpoint) + 1;
      limits.set(endpoint, Math.min(Math.max(nextLimit, MIN_LIMIT), MAX_LIMIT));
    },
  };
}
