import type { Outcome } from '../api/outcome.ts';
import { isFailure } from './breaker.ts';

/** How many submissions this instance has under way at a service at the same time. */
export interface EndpointLimits {
  limit(endpoint: string): number;
  /** One more for each call that was answered; half as many after one that failed. */
  report(endpoint: string, outcome: Outcome<unknown>): void;
}

/** Our own choice: what a small service bears, and what a slow one may take of an instance. */
const FIRST = 8;
const MIN = 4;
const MAX = 32;
/** More services than are in use at the same time; the longest known make room. */
const MAX_ENDPOINTS = 10_000;

export function createEndpointLimits(): EndpointLimits {
  const limits = new Map<string, number>();
  const limit = (endpoint: string) => limits.get(endpoint) ?? FIRST;
  return {
    limit,
    report(endpoint, outcome) {
      const next = isFailure(outcome) ? Math.floor(limit(endpoint) / 2) : limit(endpoint) + 1;
      const [oldest] = limits.keys();
      if (limits.size >= MAX_ENDPOINTS && oldest !== undefined) limits.delete(oldest);
      limits.set(endpoint, Math.min(Math.max(next, MIN), MAX));
    },
  };
}
