import { expect, test } from 'vitest';
import {
  createRateLimits,
  RateLimited,
  type RateLimits,
  type ReachedLimit,
} from '../../src/slack/rate-limits.ts';
import { RATES, type Rates } from '../../src/slack/rates.ts';
import { SCRIPTED_RATES } from '../support/bot.ts';

const MINUTE = 60_000;

function limits(more: { hasTenants?: boolean; maxBuckets?: number; rates?: Rates } = {}) {
  const at = { now: 0, reached: [] as ReachedLimit[] };
  const all = createRateLimits({
    rates: SCRIPTED_RATES,
    hasTenants: false,
    clock: () => at.now,
    onReached: (reached) => at.reached.push(reached),
    ...more,
  });
  return { all, at };
}

function tries(
  all: RateLimits,
  times: number,
  { user = 'U1', workspace = 'T1', limit = 'request' as const } = {},
): (RateLimited | 'done')[] {
  return Array.from({ length: times }, () => {
    try {
      all.count(limit, { workspace, user });
      return 'done';
    } catch (error) {
      if (error instanceof RateLimited) return error;
      throw error;
    }
  });
}

const done = (results: readonly unknown[]) => results.filter((result) => result === 'done').length;

test('a member may send 300 requests, then one every two seconds, without effect on others', () => {
  const { all, at } = limits();
  expect(done(tries(all, 1_000))).toBe(300);
  expect(done(tries(all, 10, { user: 'U2' }))).toBe(10);
  expect(done(tries(all, 10, { workspace: 'T2' }))).toBe(10);
  at.now += MINUTE;
  expect(done(tries(all, 1_000))).toBe(30);
  at.now += 60 * MINUTE;
  expect(done(tries(all, 1_000))).toBe(300);
});

test('a member may press 20 times at once, then five times a second', () => {
  const { all, at } = limits({ rates: RATES });
  const refused = tries(all, 100);
  expect(done(refused)).toBe(20);
  expect(refused.at(-1)).toMatchObject({ seconds: 1 });
  at.now += 1_000;
  expect(done(tries(all, 100))).toBe(5);
  expect(done(tries(all, 10, { user: 'U2' }))).toBe(10);
  // Refused requests don't count against the 300.
  for (let second = 0; second < 55; second += 1) {
    at.now += 1_000;
    expect(done(tries(all, 5))).toBe(5);
  }
});

test('a limited member reads how long to wait, and that wait is enough', () => {
  const { all, at } = limits();
  const refused = tries(all, 301).at(-1);
  expect(refused).toMatchObject({
    copy: { text: 'That’s too many requests in a short time, so nothing was done. Try again in 2 seconds.' },
  });
  at.now += 2_000;
  expect(done(tries(all, 1))).toBe(1);
});

test('with several tenants each has a limit, and refused requests of a member don’t count against it', () => {
  const { all } = limits({ hasTenants: true });
  expect(done(tries(all, 10_000))).toBe(300);
  const users = Array.from({ length: 20 }, (_, index) => `U0${index}`);
  const others = users.flatMap((user) => tries(all, 200, { user }));
  expect(done(others)).toBe(2_700);
  expect(others.at(-1)).toMatchObject({ problem: 'This workspace sends more requests than I can take' });
  expect(done(tries(all, 10, { workspace: 'T2' }))).toBe(10);
});

test('a reached limit is logged once a minute, with the number of refusals', () => {
  const { all, at } = limits();
  tries(all, 400);
  expect(at.reached).toEqual([
    { limit: 'request', scope: 'member', workspace: 'T1', user: 'U1', refusedCount: 1 },
  ]);
  at.now += MINUTE;
  tries(all, 40);
  expect(at.reached[1]).toMatchObject({ refusedCount: 100 });
});

test('a limited member gets a message at most every ten seconds', () => {
  const { all, at } = limits();
  const told = () => tries(all, 100).filter((one) => one !== 'done' && !one.isNotified).length;
  tries(all, 300);
  expect(told()).toBe(1);
  at.now += 9_000;
  expect(told()).toBe(0);
  at.now += 1_000;
  expect(told()).toBe(1);
});

test('beyond the maximum number of members, the least recently active one is evicted', () => {
  const { all } = limits({ maxBuckets: 2 });
  tries(all, 300);
  tries(all, 300, { user: 'U2' });
  expect(done(tries(all, 1))).toBe(0);
  tries(all, 1, { user: 'U3' });
  expect(done(tries(all, 1))).toBe(0);
  expect(done(tries(all, 1, { user: 'U2' }))).toBe(1);
});

test('parsing that has begun is never stopped because of earlier requests', () => {
  const { all, at } = limits({ hasTenants: true });
  const actor = { workspace: 'T1', user: 'U1' };
  const first = all.createStepCounter(actor);
  const second = all.createStepCounter(actor);
  for (let times = 0; times < 25; times += 1) first(4_000);
  expect(() => second(1)).toThrow(RateLimited);
  expect(() => all.createStepCounter({ ...actor, user: 'U2' })(1)).not.toThrow();
  // Tokens that were overdrawn have to be refilled first.
  at.now += 19_000;
  expect(() => all.createStepCounter(actor)(1)).toThrow(expect.objectContaining({ seconds: 2 }));
  at.now += 2_000;
  expect(() => all.createStepCounter(actor)(1)).not.toThrow();
});
