import { NOT_SENT_CAUSES, type Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import type { Pace } from './pace.ts';

/**
 * Keeps calls from a service that fails anyway:
 *
 *   closed → open (so many failures in a row) → probing (one call) → closed | open, longer
 *
 * What the service asks one token to wait holds the calls with that token, in the same way, and no others.
 */
export interface Breaker {
  /** Whether a call would be let through that is no probe. */
  isClosed(whose?: object): boolean;
  /**
   * A permit for calls, or how long there is none (ms). Each call's end is reported; at last the permit is left.
   * `whose`: stands for the token that is called with.
   */
  enter(as?: 'probe', whose?: object): Permit | { waitMs: number };
  /** Called when it closes, for all or for a token: what waits may go. */
  onClose(listener: () => void): void;
}

export interface Permit {
  report(outcome: Outcome<unknown>): void;
  leave(): void;
}

/** Shut where it has an end; then one call at a time tries it out. */
interface Gate {
  until?: number | undefined;
  isProbed: boolean;
}

const ANYONE = {};

export function createBreaker(
  pace: Pace['breaker'],
  clock: () => number,
  random: () => number = Math.random,
): Breaker {
  let failures = 0;
  let opened = 0;
  const service: Gate = { isProbed: false };
  /** Who was asked for quiet, and until when: nothing shortens that. */
  const asked = new WeakMap<object, Gate>();
  const listeners: (() => void)[] = [];

  const shutFor = (whose: object) =>
    [service, asked.get(whose)].flatMap((gate) =>
      gate?.until === undefined ? [] : [{ gate, until: gate.until }],
    );
  const pause = (whose: object, ms: number) => {
    const gate = asked.get(whose) ?? { isProbed: false };
    gate.until = Math.max(clock() + ms, gate.until ?? 0);
    asked.set(whose, gate);
  };
  const succeed = (whose: object) => {
    failures = 0;
    opened = 0;
    const over = shutFor(whose).filter(({ gate, until }) => gate === service || clock() >= until);
    for (const { gate } of over) gate.until = undefined;
    if (over.length > 0) for (const listener of listeners) listener();
  };
  const fail = () => {
    failures += 1;
    if (failures < pace.failures && service.until === undefined) return;
    opened += 1;
    // Half of the wait is certain, or the probes would come too often.
    const ms = fullJitter(opened, { first: pace.firstMs, most: pace.mostMs }, () => (1 + random()) / 2);
    service.until = Math.max(clock() + ms, service.until ?? 0);
  };
  const take = (outcome: Outcome<unknown>, whose: object) => {
    const ms = askedMs(outcome);
    // What never went out, or found no free connection of ours, says nothing of the service.
    if (
      outcome.kind === 'not-applied' &&
      (NOT_SENT_CAUSES.includes(outcome.cause) || outcome.cause === 'busy')
    )
      return;
    const isLimited = outcome.kind === 'not-applied' && outcome.cause === 'rate-limited';
    if (isLimited) pause(whose, ms ?? pace.firstMs);
    else if (ms !== undefined && ms > 0) pause(whose, ms);
    // That one token has called too often says nothing of the service.
    if (isLimited) return;
    if (isFailure(outcome)) fail();
    else succeed(whose);
  };
  return {
    isClosed: (whose = ANYONE) => shutFor(whose).length === 0,
    enter(as, whose = ANYONE) {
      const shut = shutFor(whose);
      const report = (outcome: Outcome<unknown>) => take(outcome, whose);
      if (shut.length === 0) return { report, leave: () => undefined };
      const waitMs = Math.max(...shut.map(({ until }) => until - clock()));
      if (waitMs > 0) return { waitMs };
      if (as !== 'probe' || shut.some(({ gate }) => gate.isProbed)) return { waitMs: pace.firstMs / 2 };
      for (const { gate } of shut) gate.isProbed = true;
      return {
        report,
        leave() {
          for (const { gate } of shut) gate.isProbed = false;
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
export function isFailure(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'not-applied') return true;
  if (outcome.kind !== 'unknown') return false;
  const { cause, status } = outcome;
  return cause === 'timed-out' || cause === 'connection-lost' || (status !== undefined && status >= 500);
}
