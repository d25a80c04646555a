import { expect, test } from 'vitest';
import type { Outcome } from '../../src/api/outcome.ts';
import { computeFullJitterMs } from '../../src/engine/backoff.ts';
import { createBreaker } from '../../src/submissions/breaker.ts';

const success: Outcome<null> = { kind: 'done', data: null, requestId: 'r' };
const refusedConnection: Outcome<never> = {
  kind: 'not-applied',
  cause: 'connection-refused',
  requestId: 'r',
};
const unavailable: Outcome<never> = {
  kind: 'unknown',
  cause: 'unexpected-status',
  status: 503,
  requestId: 'r',
};
const invalid: Outcome<never> = { kind: 'invalid', problems: [], requestId: 'r' };
const pace = { failures: 3, firstMs: 1_000, maxMs: 4_000 };

/** Creates a circuit breaker with a manual clock. `call` makes a call and returns 'called', or the wait as text. */
function createTestBreaker() {
  let now = 0;
  const breaker = createBreaker(
    pace,
    () => now,
    () => 1,
  );
  const call = (outcome: Outcome<unknown>, probe?: 'when-due' | 'now' | 'by-person', token?: object) => {
    const permit = breaker.enter(probe, token);
    if ('waitMs' in permit) return `wait ${permit.waitMs}`;
    permit.report(outcome);
    permit.release();
    return 'called';
  };
  const advance = (ms: number) => {
    now += ms;
  };
  return { breaker, call, advance };
}

test('a circuit breaker opens after consecutive failures, but not if there are successes in between', () => {
  const { call } = createTestBreaker();
  for (const outcome of [unavailable, refusedConnection, success, unavailable, unavailable])
    expect(call(outcome)).toBe('called');
  expect(call(refusedConnection)).toBe('called');
  expect(call(success)).toBe('wait 1000');
});

test('a refusal by the service does not count as a failure', () => {
  const { call } = createTestBreaker();
  for (const outcome of [unavailable, unavailable, invalid, unavailable, unavailable]) call(outcome);
  expect(call(success)).toBe('called');
});

test('an open circuit breaker lets only one probe at a time through, at growing intervals', () => {
  const { breaker, call, advance } = createTestBreaker();
  for (let count = 0; count < 3; count += 1) call(unavailable);
  advance(1_000);
  expect(call(success)).toBe('wait 500');
  const probe = breaker.enter('when-due');
  expect('report' in probe).toBe(true);
  expect(call(success, 'when-due')).toBe('wait 500');
  if ('report' in probe) {
    probe.report(unavailable);
    probe.release();
  }
  expect(call(success, 'when-due')).toBe('wait 2000');
  advance(2_000);
  expect(call(unavailable, 'when-due')).toBe('called');
  advance(4_000);
  expect(call(unavailable, 'when-due')).toBe('called');
  expect(call(success, 'when-due')).toBe('wait 4000');
});

test('a successful probe closes the circuit breaker and calls the listeners', () => {
  const { breaker, call, advance } = createTestBreaker();
  const events: string[] = [];
  breaker.onClose(() => events.push('closed'));
  for (let count = 0; count < 3; count += 1) call(unavailable);
  expect(breaker.isClosed()).toBe(false);
  advance(1_000);
  expect(call(success, 'when-due')).toBe('called');
  expect(breaker.isClosed()).toBe(true);
  expect(events).toEqual(['closed']);
  expect(call(unavailable)).toBe('called');
});

test.each([
  [undefined, 1_000],
  [30_000, 30_000],
  [60 * 60 * 1000, 60 * 60 * 1000],
  [24 * 60 * 60 * 1000, 24 * 60 * 60 * 1000],
])('a Retry-After of %s ms makes all calls wait %s ms', (retryAfterMs, waitMs) => {
  const { call } = createTestBreaker();
  const rateLimited = { kind: 'not-applied', cause: 'rate-limited', requestId: 'r' } as const;
  call({ ...rateLimited, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  expect(call(success)).toBe(`wait ${waitMs}`);
});

test('a person’s retry probes an open circuit breaker at once, and by a press also while a wait lasts that the service requested', () => {
  const { call } = createTestBreaker();
  for (let count = 0; count < 3; count += 1) call(unavailable);
  expect(call(success)).toBe('wait 1000');
  expect(call(success, 'now')).toBe('called');
  expect(call(success)).toBe('called');
  call({ kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 5_000, requestId: 'r' });
  expect(call(success, 'now')).toBe('wait 5000');
  expect(call(success, 'by-person')).toBe('called');
});

test('the Retry-After of a 503 is respected', () => {
  const { call, advance } = createTestBreaker();
  call({ ...unavailable, retryAfterMs: 90_000 });
  advance(89_000);
  expect(call(success, 'when-due')).toBe('wait 1000');
  advance(1_000);
  expect(call(success, 'when-due')).toBe('called');
  expect(call(success)).toBe('called');
});

test('other outcomes do not shorten a wait that the service requested', () => {
  const { breaker, call, advance } = createTestBreaker();
  const permits = [breaker.enter(), breaker.enter(), breaker.enter(), breaker.enter()];
  call({ kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 600_000, requestId: 'r' });
  const outcomes = [success, unavailable, unavailable, unavailable];
  for (const [index, permit] of permits.entries())
    if ('report' in permit) permit.report(outcomes[index] ?? success);
  expect(call(success)).toBe('wait 600000');
  advance(600_000);
  expect(call(success, 'when-due')).toBe('called');
  expect(breaker.isClosed()).toBe(true);
});

test('a rate limit on one token does not delay calls with other tokens, and ends with a probe', () => {
  const { call: callWith, advance } = createTestBreaker();
  const [limitedToken, otherToken] = [{}, {}];
  const call = (token: object, outcome: Outcome<unknown>, probe?: 'when-due') =>
    callWith(outcome, probe, token);
  const retryAfterMs = 86_400_000;
  call(limitedToken, { kind: 'not-applied', cause: 'rate-limited', retryAfterMs, requestId: 'r' });
  expect([call(limitedToken, success), call(otherToken, success), call(limitedToken, success)]).toEqual([
    'wait 86400000',
    'called',
    'wait 86400000',
  ]);
  // The service fails for all tokens.
  for (let count = 0; count < 3; count += 1) call(otherToken, unavailable);
  expect([call(limitedToken, success), call(otherToken, success)]).toEqual(['wait 86400000', 'wait 1000']);
  advance(86_400_000);
  expect([
    call(limitedToken, success),
    call(limitedToken, success, 'when-due'),
    call(limitedToken, success),
  ]).toEqual(['wait 500', 'called', 'called']);
});

test('the retry wait is random up to a ceiling, which doubles with every attempt up to a maximum', () => {
  const wait = { firstMs: 100, maxMs: 1_000 };
  expect([1, 2, 3, 4, 5, 99].map((attempt) => computeFullJitterMs(attempt, wait, () => 1))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect(computeFullJitterMs(3, wait, () => 0)).toBe(0);
});
