import type { Outcome } from '../api/outcome.ts';
import { fullJitter } from './backoff.ts';
import type { Pace } from './pace.ts';

/**
 * Keeps calls from a service that fails anyway:
 *
 *   closed → open (so many failures in a row, or it asked us to wait) → probing (one call) → closed | open, longer
 */
export interface Breaker {
  /** Whether a call would be let through that is no probe. */
  isClosed(): boolean;
  /** A permit for calls, or how long there is none (ms). Each call's end is reported; at last the permit is left. */
  enter(as?: 'probe'): Permit | { waitMs: number };
  /** Called when it closes: what waits may go. */
  onClose(listener: () => void): void;
}

export interface Permit {
  report(outcome: Outcome<unknown>): void;
  leave(): void;
}

export function createBreaker(
  pace: Pace['breaker'],
  clock: () => number,
  random: () => number = Math.random,
): Breaker {
  let failures = 0;
  let opened = 0;
  let openUntil: number | undefined;
  /** The service has asked for quiet until then: nothing shortens that. */
  let askedUntil = Number.NEGATIVE_INFINITY;
  let probing = false;
  const listeners: (() => void)[] = [];

  const open = (ms: number) => {
    openUntil = Math.max(clock() + ms, askedUntil, openUntil ?? 0);
  };
  const succeed = () => {
    failures = 0;
    opened = 0;
    if (openUntil === undefined || clock() < askedUntil) return;
    openUntil = undefined;
    for (const listener of listeners) listener();
  };
  const fail = () => {
    failures += 1;
    if (failures < pace.failures && openUntil === undefined) return;
    opened += 1;
    // Half of the wait is certain, or the probes would come too often.
    open(fullJitter(opened, { first: pace.firstMs, most: pace.mostMs }, () => (1 + random()) / 2));
  };
  const take = (outcome: Outcome<unknown>) => {
    const asked = askedMs(outcome);
    if (asked !== undefined) askedUntil = Math.max(askedUntil, clock() + asked);
    if (outcome.kind === 'not-applied' && outcome.cause === 'rate-limited') open(asked ?? pace.firstMs);
    else if (isFailure(outcome)) fail();
    else succeed();
    if (asked !== undefined && asked > 0) open(asked);
  };
  return {
    isClosed: () => openUntil === undefined,
    enter(as) {
      if (openUntil === undefined) return { report: take, leave: () => undefined };
      const waitMs = openUntil - clock();
      if (waitMs > 0) return { waitMs };
      if (probing || as !== 'probe') return { waitMs: pace.firstMs / 2 };
      probing = true;
      return {
        report: take,
        leave: () => {
          probing = false;
        },
      };
    },
    onClose: (listener) => void listeners.push(listener),
  };
}

/** How long the service asks for quiet, as its Retry-After says. */
function askedMs(outcome: Outcome<unknown>): number | undefined {
  const isAnswer = outcome.kind === 'not-applied' || outcome.kind === 'unknown';
  return isAnswer ? outcome.retryAfterMs : undefined;
}

/** The service, or the way to it, is out of order; a request that it turned down says that it works. */
function isFailure(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'not-applied') return outcome.cause !== 'too-large';
  if (outcome.kind !== 'unknown') return false;
  const { cause, status } = outcome;
  return cause === 'timed-out' || cause === 'connection-lost' || (status !== undefined && status >= 500);
}
