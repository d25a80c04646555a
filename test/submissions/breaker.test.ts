import { expect, test } from 'vitest';
import type { Outcome } from '../../src/api/outcome.ts';
import { fullJitter } from '../../src/delivery/backoff.ts';
import { createBreaker } from '../../src/submissions/breaker.ts';

const fine: Outcome<null> = { kind: 'done', data: null, requestId: 'r' };
const refusedConnection: Outcome<never> = {
  kind: 'not-applied',
  cause: 'connection-refused',
  requestId: 'r',
};
const broken: Outcome<never> = { kind: 'unknown', cause: 'unexpected-status', status: 503, requestId: 'r' };
const invalid: Outcome<never> = { kind: 'invalid', problems: [], requestId: 'r' };
const pace = { failures: 3, firstMs: 1_000, mostMs: 4_000 };

/** A breaker by a clock of its own; what `enter` says, in words. */
function breakerAt() {
  let now = 0;
  const breaker = createBreaker(
    pace,
    () => now,
    () => 1,
  );
  const call = (outcome: Outcome<unknown>, as?: 'probe') => {
    const entered = breaker.enter(as);
    if ('waitMs' in entered) return `wait ${entered.waitMs}`;
    entered.report(outcome);
    entered.leave();
    return 'called';
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { breaker, call, pass };
}

test('it opens after so many failures in a row, and not by those between successes', () => {
  const { call } = breakerAt();
  for (const outcome of [broken, refusedConnection, fine, broken, broken])
    expect(call(outcome)).toBe('called');
  expect(call(refusedConnection)).toBe('called');
  expect(call(fine)).toBe('wait 1000');
});

test('what the service turns down says that it works', () => {
  const { call } = breakerAt();
  for (const outcome of [broken, broken, invalid, broken, broken]) call(outcome);
  expect(call(fine)).toBe('called');
});

test('then one probe at a time is let through, later and later; who waits for an answer is none', () => {
  const { breaker, call, pass } = breakerAt();
  for (let time = 0; time < 3; time += 1) call(broken);
  pass(1_000);
  expect(call(fine)).toBe('wait 500');
  const first = breaker.enter('probe');
  expect('report' in first).toBe(true);
  expect(call(fine, 'probe')).toBe('wait 500');
  if ('report' in first) {
    first.report(broken);
    first.leave();
  }
  expect(call(fine, 'probe')).toBe('wait 2000');
  pass(2_000);
  expect(call(broken, 'probe')).toBe('called');
  pass(4_000);
  expect(call(broken, 'probe')).toBe('called');
  expect(call(fine, 'probe')).toBe('wait 4000');
});

test('a probe that goes well closes it, and says so', () => {
  const { breaker, call, pass } = breakerAt();
  const closed: string[] = [];
  breaker.onClose(() => closed.push('closed'));
  for (let time = 0; time < 3; time += 1) call(broken);
  expect(breaker.isClosed()).toBe(false);
  pass(1_000);
  expect(call(fine, 'probe')).toBe('called');
  expect(breaker.isClosed()).toBe(true);
  expect(closed).toEqual(['closed']);
  expect(call(broken)).toBe('called');
});

test.each([
  [undefined, 1_000],
  [30_000, 30_000],
  [60 * 60 * 1000, 60 * 60 * 1000],
  [24 * 60 * 60 * 1000, 24 * 60 * 60 * 1000],
])('asked to wait %s ms, all wait %s', (retryAfterMs, waitMs) => {
  const { call } = breakerAt();
  const limited = { kind: 'not-applied', cause: 'rate-limited', requestId: 'r' } as const;
  call({ ...limited, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  expect(call(fine)).toBe(`wait ${waitMs}`);
});

test('a 503 that says how long to wait is taken at its word', () => {
  const { call, pass } = breakerAt();
  call({ ...broken, retryAfterMs: 90_000 });
  pass(89_000);
  expect(call(fine, 'probe')).toBe('wait 1000');
  pass(1_000);
  expect(call(fine, 'probe')).toBe('called');
  expect(call(fine)).toBe('called');
});

test('what another call brings meanwhile does not shorten what was asked for', () => {
  const { breaker, call, pass } = breakerAt();
  const others = [breaker.enter(), breaker.enter(), breaker.enter(), breaker.enter()];
  call({ kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 600_000, requestId: 'r' });
  const ends = [fine, broken, broken, broken];
  for (const [index, other] of others.entries()) if ('report' in other) other.report(ends[index] ?? fine);
  expect(call(fine)).toBe('wait 600000');
  pass(600_000);
  expect(call(fine, 'probe')).toBe('called');
  expect(breaker.isClosed()).toBe(true);
});

test('what one token is asked to wait holds no other, and then one call tries it out', () => {
  const { breaker, pass } = breakerAt();
  const [one, other] = [{}, {}];
  const call = (whose: object, outcome: Outcome<unknown>, as?: 'probe') => {
    const entered = breaker.enter(as, whose);
    if ('waitMs' in entered) return `wait ${entered.waitMs}`;
    entered.report(outcome);
    entered.leave();
    return 'called';
  };
  call(one, { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 86_400_000, requestId: 'r' });
  expect([call(one, fine), call(other, fine), call(one, fine)]).toEqual([
    'wait 86400000',
    'called',
    'wait 86400000',
  ]);
  expect([breaker.isClosed(one), breaker.isClosed(other)]).toEqual([false, true]);
  // Out of order is the service for all.
  for (let time = 0; time < 3; time += 1) call(other, broken);
  expect([call(one, fine), call(other, fine)]).toEqual(['wait 86400000', 'wait 1000']);
  pass(86_400_000);
  expect([call(one, fine), call(one, fine, 'probe'), call(one, fine)]).toEqual([
    'wait 500',
    'called',
    'called',
  ]);
});

test('full jitter is anything up to the wait, which doubles up to the most', () => {
  const wait = { first: 100, most: 1_000 };
  expect([1, 2, 3, 4, 5, 99].map((attempt) => fullJitter(attempt, wait, () => 1))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect(fullJitter(3, wait, () => 0)).toBe(0);
});
