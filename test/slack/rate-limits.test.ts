import { expect, test } from 'vitest';
import {
  createRateLimits,
  RATES,
  RateLimited,
  type RateLimits,
  type Rates,
  type ReachedLimit,
} from '../../src/slack/rate-limits.ts';
import { SCRIPTED_RATES } from '../support/bot.ts';

const MINUTE_MS = 60_000;

function createTestLimits(options: { isMultiTenant?: boolean; maxBuckets?: number; rates?: Rates } = {}) {
  const state = { now: 0, reached: [] as ReachedLimit[] };
  const rateLimits = createRateLimits({
    rates: SCRIPTED_RATES,
    isMultiTenant: false,
    clock: () => state.now,
    onReached: (reached) => state.reached.push(reached),
    ...options,
  });
  return { rateLimits, state };
}

function countRequests(
  rateLimits: RateLimits,
  times: number,
  { user = 'U1', workspace = 'T1', limit = 'request' as const } = {},
): (RateLimited | 'done')[] {
  return Array.from({ length: times }, () => {
    try {
      rateLimits.count(limit, { workspace, user });
      return 'done';
    } catch (error) {
      if (error instanceof RateLimited) return error;
      throw error;
    }
  });
}

const countAccepted = (results: readonly unknown[]) => results.filter((result) => result === 'done').length;

test('a member may send 300 requests, then one every two seconds, without affecting other members', () => {
  const { rateLimits, state } = createTestLimits();
  expect(countAccepted(countRequests(rateLimits, 1_000))).toBe(300);
  expect(countAccepted(countRequests(rateLimits, 10, { user: 'U2' }))).toBe(10);
  expect(countAccepted(countRequests(rateLimits, 10, { workspace: 'T2' }))).toBe(10);
  state.now += MINUTE_MS;
  expect(countAccepted(countRequests(rateLimits, 1_000))).toBe(30);
  state.now += 60 * MINUTE_MS;
  expect(countAccepted(countRequests(rateLimits, 1_000))).toBe(300);
});

test('a member may press 20 times at once, then five times a second', () => {
  const { rateLimits, state } = createTestLimits({ rates: RATES });
  const results = countRequests(rateLimits, 100);
  expect(countAccepted(results)).toBe(20);
  expect(results.at(-1)).toMatchObject({ seconds: 1 });
  state.now += 1_000;
  expect(countAccepted(countRequests(rateLimits, 100))).toBe(5);
  expect(countAccepted(countRequests(rateLimits, 10, { user: 'U2' }))).toBe(10);
  // Refused requests don't count against the 300.
  for (let second = 0; second < 55; second += 1) {
    state.now += 1_000;
    expect(countAccepted(countRequests(rateLimits, 5))).toBe(5);
  }
});

test('a limited member reads how long to wait, and can continue after that wait', () => {
  const { rateLimits, state } = createTestLimits();
  const lastResult = countRequests(rateLimits, 301).at(-1);
  expect(lastResult).toMatchObject({
    copy: { text: 'That’s too many requests in a short time, so nothing was done. Try again in 2 seconds.' },
  });
  state.now += 2_000;
  expect(countAccepted(countRequests(rateLimits, 1))).toBe(1);
});

test('each of several workspaces has a limit, which refused requests of a member don’t use up', () => {
  const { rateLimits } = createTestLimits({ isMultiTenant: true });
  expect(countAccepted(countRequests(rateLimits, 10_000))).toBe(300);
  const users = Array.from({ length: 20 }, (_, index) => `U0${index}`);
  const otherMembers = users.flatMap((user) => countRequests(rateLimits, 200, { user }));
  expect(countAccepted(otherMembers)).toBe(2_700);
  expect(otherMembers.at(-1)).toMatchObject({
    problem: 'This workspace sends more requests than I can take',
  });
  expect(countAccepted(countRequests(rateLimits, 10, { workspace: 'T2' }))).toBe(10);
});

test('a reached limit is logged once a minute, with the number of refusals', () => {
  const { rateLimits, state } = createTestLimits();
  countRequests(rateLimits, 400);
  expect(state.reached).toEqual([
    { limit: 'request', scope: 'member', workspace: 'T1', user: 'U1', refusedCount: 1 },
  ]);
  state.now += MINUTE_MS;
  countRequests(rateLimits, 40);
  expect(state.reached[1]).toMatchObject({ refusedCount: 100 });
});

test('a limited member gets a message at most every ten seconds', () => {
  const { rateLimits, state } = createTestLimits();
  const countMessages = () =>
    countRequests(rateLimits, 100).filter((result) => result !== 'done' && !result.wasRecentlyNotified)
      .length;
  countRequests(rateLimits, 300);
  expect(countMessages()).toBe(1);
  state.now += 9_000;
  expect(countMessages()).toBe(0);
  state.now += 1_000;
  expect(countMessages()).toBe(1);
});

test('beyond the maximum number of members, the least recently active one is evicted', () => {
  const { rateLimits } = createTestLimits({ maxBuckets: 2 });
  countRequests(rateLimits, 300);
  countRequests(rateLimits, 300, { user: 'U2' });
  expect(countAccepted(countRequests(rateLimits, 1))).toBe(0);
  countRequests(rateLimits, 1, { user: 'U3' });
  expect(countAccepted(countRequests(rateLimits, 1))).toBe(0);
  expect(countAccepted(countRequests(rateLimits, 1, { user: 'U2' }))).toBe(1);
});

test('parsing that has begun is not stopped by the member’s other requests', () => {
  const { rateLimits, state } = createTestLimits({ isMultiTenant: true });
  const actor = { workspace: 'T1', user: 'U1' };
  const countForFirstText = rateLimits.createStepCounter(actor);
  const countForSecondText = rateLimits.createStepCounter(actor);
  for (let times = 0; times < 25; times += 1) countForFirstText(4_000);
  expect(() => countForSecondText(1)).toThrow(RateLimited);
  expect(() => rateLimits.createStepCounter({ ...actor, user: 'U2' })(1)).not.toThrow();
  // Tokens that were overdrawn have to be refilled first.
  state.now += 19_000;
  expect(() => rateLimits.createStepCounter(actor)(1)).toThrow(expect.objectContaining({ seconds: 2 }));
  state.now += 2_000;
  expect(() => rateLimits.createStepCounter(actor)(1)).not.toThrow();
});
