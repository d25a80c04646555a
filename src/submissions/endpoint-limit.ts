import type { Outcome } from '../api/outcome.ts';
import { isFailure } from './breaker.ts';

/** Limits for the number of submissions that this instance has in progress at each service. */
export interface EndpointLimits {
  getLimit(endpoint: string): number;
  /** Halves the limit after a failed call (see `isFailure`), and increments it after any other call. */
  report(endpoint: string, outcome: Outcome<unknown>): void;
}

/** Our choice: a small service can handle this many calls, and a slow service can't occupy all steps. */
const INITIAL_LIMIT = 8;
const MIN_LIMIT = 4;
const MAX_LIMIT = 32;
/** Maximum number of stored limits, more than there are services in use. A further one replaces the oldest. */
const MAX_ENDPOINTS = 10_000;

export function createEndpointLimits(): EndpointLimits {
  const limits = new Map<string, number>();
  const getLimit = (endpoint: string) => limits.get(endpoint) ?? INITIAL_LIMIT;
  return {
    getLimit,
    report(endpoint, outcome) {
      const nextLimit = isFailure(outcome) ? Math.floor(getLimit(endpoint) / 2) : getLimit(endpoint) + 1;
      const [oldest] = limits.keys();
      if (limits.size >= MAX_ENDPOINTS && oldest !== undefined) limits.delete(oldest);
      limits.set(endpoint, Math.min(Math.max(nextLimit, MIN_LIMIT), MAX_LIMIT));
    },
  };
}
