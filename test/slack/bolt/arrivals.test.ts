import { expect, test } from 'vitest';
import { createArrivalCheck } from '../../../src/slack/bolt/arrivals.ts';

let clockMs = 1_790_000_000_000;
const clock = () => clockMs;

test('an instance stores a signature while it is valid', async () => {
  const checkArrival = createArrivalCheck({ clock });
  expect(await checkArrival('a')).toBe('first');
  clockMs += 10_000;
  expect(await checkArrival('a')).toBe('retry');
  clockMs += 1;
  expect(await checkArrival('a')).toBe('replay');
  clockMs += 601_000;
  expect(await checkArrival('b')).toBe('first');
  expect(await checkArrival('a')).toBe('first');
});

test('a request that another instance handled counts as a retry, and later as a replay', async () => {
  const storedArrivals = new Map<string, number>();
  const share = async (signature: string) => {
    const storedAt = storedArrivals.get(signature);
    if (storedAt === undefined) storedArrivals.set(signature, clockMs);
    return storedAt === undefined ? 'first' : clockMs - storedAt;
  };
  const [firstInstance, secondInstance] = [
    createArrivalCheck({ clock, share }),
    createArrivalCheck({ clock, share }),
  ];
  const results = await Promise.all([firstInstance('a'), secondInstance('a'), firstInstance('b')]);
  expect(results).toEqual(['first', 'retry', 'first']);
  clockMs += 10_001;
  expect(await secondInstance('b')).toBe('replay');
  // Repeating the replay doesn't make it a retry.
  expect(await secondInstance('b')).toBe('replay');
});

test('if the database hangs or fails, the result is soon “unsure”, and an error is reported', async () => {
  const errors: unknown[] = [];
  const checkArrivalWithHangingQuery = createArrivalCheck({
    clock,
    share: () => new Promise(() => undefined),
    maxLookupMs: 20,
  });
  const startedAt = performance.now();
  expect(await Promise.all([checkArrivalWithHangingQuery('a'), checkArrivalWithHangingQuery('b')])).toEqual([
    'unsure',
    'unsure',
  ]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  const checkArrivalWithFailingQuery = createArrivalCheck({
    clock,
    share: () => Promise.reject(new Error('the database is down')),
    onError: (error) => errors.push(error),
  });
  expect(await checkArrivalWithFailingQuery('a')).toBe('unsure');
  expect(errors).toHaveLength(1);
  // Requests in this instance's memory need no query.
  expect(await checkArrivalWithFailingQuery('a')).toBe('retry');
});

test('a single instance knows the arrivals before its start, and stores new arrivals without waiting', async () => {
  const storedSignatures: string[] = [];
  const pendingWrite = Promise.withResolvers<void>();
  const add = (signatures: readonly string[]) => {
    storedSignatures.push(...signatures);
    return pendingWrite.promise;
  };
  const loadArrivals = async () =>
    new Map([
      ['before', clockMs - 10_001],
      ['just before', clockMs - 2_000],
    ]);
  const checkArrival = createArrivalCheck({ clock, storedArrivals: { load: loadArrivals, add } });
  expect([await checkArrival('just before'), await checkArrival('before')]).toEqual(['retry', 'replay']);
  expect(await checkArrival('a')).toBe('first');
  expect(await checkArrival('b')).toBe('first');
  expect(await checkArrival('a')).toBe('retry');
  expect(storedSignatures).toEqual(['a']);
  pendingWrite.resolve();
  await expect.poll(() => storedSignatures).toEqual(['a', 'b']);
});

test('requests of one turn of the event loop continue together, after all are recorded', async () => {
  const events: string[] = [];
  const checkArrival = createArrivalCheck({
    clock,
    storedArrivals: {
      load: async () => new Map(),
      add: async (signatures) => void events.push(...signatures.map((signature) => `${signature} stored`)),
    },
  });
  expect(await checkArrival('loaded')).toBe('first');
  const check = async (signature: string) => {
    const arrival = await checkArrival(signature);
    events.push(`${signature} is ${arrival}`);
  };
  const first = check('a');
  // The rest of the first request's work runs before the next request of the turn is read.
  await new Promise((resolve) => process.nextTick(resolve));
  await Promise.all([first, check('b')]);
  expect(events).toEqual(['loaded stored', 'a stored', 'b stored', 'a is first', 'b is first']);
});

test('two copies of a request from before the start that arrive together are both replays', async () => {
  const storedArrivals = {
    load: async () => new Map([['before', clockMs - 10_001]]),
    add: async () => undefined,
  };
  const checkArrival = createArrivalCheck({ clock, storedArrivals });
  expect(await checkArrival('loaded')).toBe('first');
  expect(await Promise.all([checkArrival('before'), checkArrival('before')])).toEqual(['replay', 'replay']);
});

test('while the arrivals before the start are loading, the result is “unsure”, and only one query runs', async () => {
  const errors: unknown[] = [];
  let queryCount = 0;
  let loading = Promise.withResolvers<ReadonlyMap<string, number>>();
  const loadArrivals = () => {
    queryCount += 1;
    return loading.promise;
  };
  const checkArrival = createArrivalCheck({
    clock,
    storedArrivals: { load: loadArrivals, add: async () => undefined },
    onError: (error) => errors.push(error),
  });
  const earlyArrivals = [checkArrival('a'), checkArrival('b')];
  expect(queryCount).toBe(1);
  loading.reject(new Error('the database is down'));
  expect(await Promise.all(earlyArrivals)).toEqual(['unsure', 'unsure']);
  loading = Promise.withResolvers();
  const laterArrivals = [checkArrival('c'), checkArrival('before')];
  loading.resolve(new Map([['before', 0]]));
  expect(await Promise.all(laterArrivals)).toEqual(['first', 'replay']);
  expect(queryCount).toBe(2);
  expect(errors.map(String)).toContain('Error: the database is down');
});

test('arrivals that couldn’t be stored are stored with the next arrivals, and the error is reported', async () => {
  const errors: unknown[] = [];
  const storedSignatures: string[] = [];
  let isFull = true;
  const add = async (signatures: readonly string[]) => {
    if (isFull) throw new Error('the disk is full');
    storedSignatures.push(...signatures);
  };
  const checkArrival = createArrivalCheck({
    clock,
    storedArrivals: { load: async () => new Map(), add },
    onError: (error) => errors.push(error),
  });
  expect([await checkArrival('a'), await checkArrival('b')]).toEqual(['first', 'first']);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  isFull = false;
  await checkArrival('c');
  await expect.poll(() => storedSignatures.toSorted()).toEqual(['a', 'b', 'c']);
});
