import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createArrivalCheck } from '../../../src/slack/bolt/arrivals.ts';

let at = 1_790_000_000_000;
const clock = () => at;

test('an instance stores a signature for as long as it is valid', async () => {
  const arrive = createArrivalCheck({ clock });
  expect(await arrive('a')).toBe('first');
  at += 10_000;
  expect(await arrive('a')).toBe('retry');
  at += 1;
  expect(await arrive('a')).toBe('replay');
  at += 601_000;
  expect(await arrive('b')).toBe('first');
  expect(await arrive('a')).toBe('first');
});

test('a request that another instance handled is a retry, and later a replay', async () => {
  const there = new Map<string, number>();
  const share = async (signatures: readonly string[]) =>
    new Map(
      signatures.map((signature) => {
        const before = there.get(signature);
        if (before === undefined) there.set(signature, at);
        return [signature, before === undefined ? ('first' as const) : at - before];
      }),
    );
  const [here, elsewhere] = [createArrivalCheck({ clock, share }), createArrivalCheck({ clock, share })];
  const both = await Promise.all([here('a'), elsewhere('a'), here('b')]);
  expect(both).toEqual(['first', 'retry', 'first']);
  at += 10_001;
  expect(await elsewhere('b')).toBe('replay');
  // Sending it again doesn't make it a retry.
  expect(await elsewhere('b')).toBe('replay');
});

test('signatures that arrive during a query are sent in one batch', async () => {
  const asked: number[] = [];
  const share = async (signatures: readonly string[]) => {
    asked.push(signatures.length);
    await delay(5);
    return new Map(signatures.map((signature) => [signature, 'first' as const]));
  };
  const arrive = createArrivalCheck({ clock, share });
  const all = Array.from({ length: 200 }, (_, index) => arrive(String(index)));
  expect(new Set(await Promise.all(all))).toEqual(new Set(['first']));
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(200);
  expect(asked.length).toBeLessThan(5);
});

test('if the database hangs or fails, the result is unsure in time and the error is reported', async () => {
  const troubles: unknown[] = [];
  const hanging = createArrivalCheck({ clock, share: () => new Promise(() => undefined), maxLookupMs: 20 });
  const started = performance.now();
  expect(await Promise.all([hanging('a'), hanging('b')])).toEqual(['unsure', 'unsure']);
  expect(performance.now() - started).toBeLessThan(1_000);
  const failing = createArrivalCheck({
    clock,
    share: () => Promise.reject(new Error('the database is down')),
    onError: (error) => troubles.push(error),
  });
  expect(await failing('a')).toBe('unsure');
  expect(troubles).toHaveLength(1);
  // Requests in this instance's memory need no query.
  expect(await failing('a')).toBe('retry');
});

test('a single instance knows the arrivals before its start, and stores new ones without waiting', async () => {
  const added: string[] = [];
  const keeping = Promise.withResolvers<void>();
  const add = (signatures: readonly string[]) => {
    added.push(...signatures);
    return keeping.promise;
  };
  const before = async () =>
    new Map([
      ['before', at - 10_001],
      ['just before', at - 2_000],
    ]);
  const arrive = createArrivalCheck({ clock, storedArrivals: { load: before, add } });
  expect([await arrive('just before'), await arrive('before')]).toEqual(['retry', 'replay']);
  expect(await arrive('a')).toBe('first');
  expect(await arrive('b')).toBe('first');
  expect(await arrive('a')).toBe('retry');
  expect(added).toEqual(['a']);
  keeping.resolve();
  await expect.poll(() => added).toEqual(['a', 'b']);
});

test('while the arrivals before its start are loading, the result is unsure, and there is only one query', async () => {
  const troubles: unknown[] = [];
  let asked = 0;
  let answer = Promise.withResolvers<ReadonlyMap<string, number>>();
  const before = () => {
    asked += 1;
    return answer.promise;
  };
  const arrive = createArrivalCheck({
    clock,
    storedArrivals: { load: before, add: async () => undefined },
    onError: (error) => troubles.push(error),
  });
  const first = [arrive('a'), arrive('b')];
  expect(asked).toBe(1);
  answer.reject(new Error('the database is down'));
  expect(await Promise.all(first)).toEqual(['unsure', 'unsure']);
  answer = Promise.withResolvers();
  const next = [arrive('c'), arrive('before')];
  answer.resolve(new Map([['before', 0]]));
  expect(await Promise.all(next)).toEqual(['first', 'replay']);
  expect(asked).toBe(2);
  expect(troubles.map(String)).toContain('Error: the database is down');
});

test('arrivals that couldn’t be stored are stored with the next ones, and the error is reported once', async () => {
  const troubles: unknown[] = [];
  const added: string[] = [];
  let isFull = true;
  const add = async (signatures: readonly string[]) => {
    if (isFull) throw new Error('the disk is full');
    added.push(...signatures);
  };
  const arrive = createArrivalCheck({
    clock,
    storedArrivals: { load: async () => new Map(), add },
    onError: (error) => troubles.push(error),
  });
  expect([await arrive('a'), await arrive('b')]).toEqual(['first', 'first']);
  await expect.poll(() => troubles.length).toBeGreaterThan(0);
  isFull = false;
  await arrive('c');
  await expect.poll(() => added.toSorted()).toEqual(['a', 'b', 'c']);
});
