import type { Outcome } from '../api/outcome.ts';
import { isFailure } from './breaker.ts';

/** Maximum numbers of submissions that this instance has in progress at each service. */
export interface EndpointLimits {
  limit(endpoint: string): number;
  /** Increments the limit after an answered call and halves it after a failed one. */
  report(endpoint: string, outcome: Outcome<unknown>): void;
}

/** Our own choice: what a small service can handle, and how many steps a slow service may occupy. */
const INITIAL_LIMIT = 8;
const MIN_LIMIT = 4;
const MAX_LIMIT = 32;
/** More than there are services in use. Beyond that, the oldest entry is deleted. */
const MAX_ENDPOINTS = 10_000;

export function createEndpointLimits(): EndpointLimits {
  const limits = new Map<string, number>();
  const limit = (endpoint: string) => limits.get(endpoint) ?? INITIAL_LIMIT;
  return {
    limit,
    report(endpoint, outcome) {
      const next = isFailure(outcome) ? Math.floor(limit(endpoint) / 2) : limit(endpoint) + 1;
      const [oldest] = limits.keys();
      if (limits.size >= MAX_ENDPOINTS && oldest !== undefined) limits.delete(oldest);
      limits.set(endpoint, Math.min(Math.max(next, MIN_LIMIT), MAX_LIMIT));
    },
  };
}
