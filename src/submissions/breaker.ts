import { NOT_SENT_CAUSES, type Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import type { Pace } from './pace.ts';

/**
 * Circuit breaker of one tenant's service:
 *
 *   closed → open (after consecutive failures) → probing (one call) → closed | open, for longer
 *
 * If the service asks a token to wait (Retry-After), only calls with that token wait.
 */
export interface Breaker {
  /** Whether ordinary calls are let through. `credential` stands for the token of the call. */
  isClosed(credential?: object): boolean;
  /**
   * A permit for calls, or how long to wait, ms. Report the outcome of each call, then leave the permit. `credential` stands
   * for the token of the calls.
   */
  enter(as?: 'probe', credential?: object): Permit | { waitMs: number };
  /** The listener is called when the breaker closes, for all calls or for one token. */
  onClose(listener: () => void): void;
}

export interface Permit {
  report(outcome: Outcome<unknown>): void;
  leave(): void;
}

/** Shut while `until` is set. After that moment, one probe at a time is let through. */
interface Gate {
  until?: number | undefined;
  isProbed: boolean;
}

const NO_CREDENTIAL = {};

export function createBreaker(
  pace: Pace['breaker'],
  clock: () => number,
  random: () => number = Math.random,
): Breaker {
  let failures = 0;
  let opened = 0;
  const service: Gate = { isProbed: false };
  /** Tokens that the service asked to wait. Nothing shortens that wait. */
  const askedToWait = new WeakMap<object, Gate>();
  const listeners: (() => void)[] = [];

  const shutFor = (credential: object) =>
    [service, askedToWait.get(credential)].flatMap((gate) =>
      gate?.until === undefined ? [] : [{ gate, until: gate.until }],
    );
  const pause = (credential: object, ms: number) => {
    const gate = askedToWait.get(credential) ?? { isProbed: false };
    gate.until = Math.max(clock() + ms, gate.until ?? 0);
    askedToWait.set(credential, gate);
  };
  const succeed = (credential: object) => {
    failures = 0;
    opened = 0;
    const over = shutFor(credential).filter(({ gate, until }) => gate === service || clock() >= until);
    for (const { gate } of over) gate.until = undefined;
    if (over.length > 0) for (const listener of listeners) listener();
  };
  const fail = () => {
    failures += 1;
    if (failures < pace.failures && service.until === undefined) return;
    opened += 1;
    // At least half of the ceiling, because with full jitter some probes would come too early.
    const ms = fullJitter(opened, { firstMs: pace.firstMs, maxMs: pace.maxMs }, () => (1 + random()) / 2);
    service.until = Math.max(clock() + ms, service.until ?? 0);
  };
  const take = (outcome: Outcome<unknown>, credential: object) => {
    const ms = retryAfterOf(outcome);
    // A call that wasn't sent, or found no free connection of ours, tells nothing about the service.
    if (
      outcome.kind === 'not-applied' &&
      (NOT_SENT_CAUSES.includes(outcome.cause) || outcome.cause === 'busy')
    )
      return;
    const isLimited = outcome.kind === 'not-applied' && outcome.cause === 'rate-limited';
    if (isLimited) pause(credential, ms ?? pace.firstMs);
    else if (ms !== undefined && ms > 0) pause(credential, ms);
    // A rate limit of one token tells nothing about the service.
    if (isLimited) return;
    if (isFailure(outcome)) fail();
    else succeed(credential);
  };
  return {
    isClosed: (credential = NO_CREDENTIAL) => shutFor(credential).length === 0,
    enter(as, credential = NO_CREDENTIAL) {
      const shut = shutFor(credential);
      const report = (outcome: Outcome<unknown>) => take(outcome, credential);
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

/** The wait that the service asks for (Retry-After), ms. */
function retryAfterOf(outcome: Outcome<unknown>): number | undefined {
  const isAnswer = outcome.kind === 'not-applied' || outcome.kind === 'unknown';
  return isAnswer ? outcome.retryAfterMs : undefined;
}

/** Whether the outcome counts as a failure of the service or the network. A refusal doesn't: the service works. */
export function isFailure(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'not-applied') return true;
  if (outcome.kind !== 'unknown') return false;
  const { cause, status } = outcome;
  return cause === 'timed-out' || cause === 'connection-lost' || (status !== undefined && status >= 500);
}
