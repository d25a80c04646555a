import { expect, test } from 'vitest';
import { createCache, createLookupCache } from '../../src/cache/cache.ts';

/** Creates a cache with a lookup that returns the number of its calls. */
function createTestCache(options: { max?: number; maxAgeOf?: (value: number) => number | undefined } = {}) {
  const state = { ms: 0, lookupCount: 0 };
  const cache = createLookupCache<number>({ maxAgeMs: 100, now: () => state.ms, ...options });
  const countLookup = async () => {
    state.lookupCount += 1;
    return state.lookupCount;
  };
  return { state, cache, get: (key: string, isLive?: boolean) => cache.get(key, countLookup, isLive) };
}

test('a lookup is shared while it runs, cached, and repeated once its value has expired', async () => {
  const { state, get } = createTestCache();
  expect(await Promise.all([get('a'), get('a')])).toEqual([1, 1]);
  state.ms = 99;
  expect(await get('a')).toBe(1);
  state.ms = 100;
  expect(await get('a')).toBe(2);
  expect(await get('b')).toBe(3);
});

test('a live lookup never returns an earlier value, and its value is cached for others', async () => {
  const { get } = createTestCache();
  const earlierLookup = get('a');
  expect(await get('a', true)).toBe(2);
  expect(await earlierLookup).toBe(1);
  expect(await get('a')).toBe(2);
});

test('the error of a failed lookup is thrown to all callers that shared the lookup, and is not cached', async () => {
  const { cache, get } = createTestCache();
  const failingLookup = () => Promise.reject(new Error('no'));
  const [first, second] = [cache.get('a', failingLookup), cache.get('a', failingLookup)];
  await expect(first).rejects.toThrow('no');
  await expect(second).rejects.toThrow('no');
  expect(await get('a')).toBe(1);
});

test('an earlier lookup that fails later does not drop a newer value', async () => {
  const { cache, get } = createTestCache();
  const lateLookup = Promise.withResolvers<number>();
  const failingLookup = cache.get('a', () => lateLookup.promise);
  expect(await get('a', true)).toBe(1);
  lateLookup.reject(new Error('no'));
  await expect(failingLookup).rejects.toThrow('no');
  expect(await get('a')).toBe(1);
});

test('a dropped value is looked up again, and a running lookup still returns its value', async () => {
  const { cache, get } = createTestCache();
  const first = get('a');
  cache.drop('a');
  expect(await first).toBe(1);
  expect(await get('a')).toBe(2);
  cache.clear();
  expect(await get('a')).toBe(3);
});

test('each value can have its own maximum age, and a maximum age of 0 means that it is not cached', async () => {
  const { state, get } = createTestCache({ maxAgeOf: (value) => [undefined, 0, 10, undefined][value] });
  expect([await get('a'), await get('a')]).toEqual([1, 2]);
  state.ms = 9;
  expect(await get('a')).toBe(2);
  state.ms = 10;
  expect(await get('a')).toBe(3);
  state.ms = 109;
  expect(await get('a')).toBe(3);
});

test('with too many entries the least recently used entry is evicted', async () => {
  const { get } = createTestCache({ max: 2 });
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  expect([await get('a'), await get('c'), await get('b')]).toEqual([1, 3, 4]);
});

test('a cached object expires at its maximum age, even if the clock begins at 0', () => {
  let now = 0;
  const cache = createCache<{ count: number }>({ maxAgeMs: 100, now: () => now });
  cache.set('a', { count: 1 });
  now = 99;
  expect(cache.get('a')).toEqual({ count: 1 });
  now = 100;
  expect(cache.get('a')).toBeUndefined();
});
