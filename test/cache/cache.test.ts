import { expect, test } from 'vitest';
import { createCache, createLookupCache } from '../../src/cache/cache.ts';

/** A lookup that returns how often it was called. */
function lookups(options: { max?: number; ageOf?: (value: number) => number | undefined } = {}) {
  const at = { ms: 0, looked: 0 };
  const cache = createLookupCache<number>({ maxAgeMs: 100, now: () => at.ms, ...options });
  const look = async () => {
    at.looked += 1;
    return at.looked;
  };
  return { at, cache, look, get: (key: string, isLive?: boolean) => cache.get(key, look, isLive) };
}

test('a lookup is shared while it runs, cached, and repeated once its value has expired', async () => {
  const { at, get } = lookups();
  expect(await Promise.all([get('a'), get('a')])).toEqual([1, 1]);
  at.ms = 99;
  expect(await get('a')).toBe(1);
  at.ms = 100;
  expect(await get('a')).toBe(2);
  expect(await get('b')).toBe(3);
});

test('a live lookup never returns an earlier one, and its value is cached for others', async () => {
  const { get } = lookups();
  const earlier = get('a');
  expect(await get('a', true)).toBe(2);
  expect(await earlier).toBe(1);
  expect(await get('a')).toBe(2);
});

test('a failed lookup is thrown to all who shared it, and is not cached', async () => {
  const { cache, get } = lookups();
  const failing = () => Promise.reject(new Error('no'));
  const [first, second] = [cache.get('a', failing), cache.get('a', failing)];
  await expect(first).rejects.toThrow('no');
  await expect(second).rejects.toThrow('no');
  expect(await get('a')).toBe(1);
});

test('a lookup that fails late does not drop a newer value', async () => {
  const { cache, get } = lookups();
  const late = Promise.withResolvers<number>();
  const failing = cache.get('a', () => late.promise);
  expect(await get('a', true)).toBe(1);
  late.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await get('a')).toBe(1);
});

test('a dropped value is looked up again, and its running lookup still ends', async () => {
  const { cache, get } = lookups();
  const first = get('a');
  cache.drop('a');
  expect(await first).toBe(1);
  expect(await get('a')).toBe(2);
  cache.clear();
  expect(await get('a')).toBe(3);
});

test('values can have their own maximum age, or not be cached', async () => {
  const { at, get } = lookups({ ageOf: (value) => [undefined, 0, 10, undefined][value] });
  expect([await get('a'), await get('a')]).toEqual([1, 2]);
  at.ms = 9;
  expect(await get('a')).toBe(2);
  at.ms = 10;
  expect(await get('a')).toBe(3);
  at.ms = 109;
  expect(await get('a')).toBe(3);
});

test('with too many entries the least recently used one is evicted', async () => {
  const { get } = lookups({ max: 2 });
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  expect([await get('a'), await get('c'), await get('b')]).toEqual([1, 3, 4]);
});

test('an object expires at its maximum age, also on a clock that begins at 0', () => {
  let now = 0;
  const cache = createCache<{ count: number }>({ maxAgeMs: 100, now: () => now });
  cache.set('a', { count: 1 });
  now = 99;
  expect(cache.get('a')).toEqual({ count: 1 });
  now = 100;
  expect(cache.get('a')).toBeUndefined();
});
