import { afterEach, expect, test, vi } from 'vitest';
import { createBatchedStatement } from '../../src/store/batched-statement.ts';

/** A statement that records its batches, and returns for each item the number of its batch. */
function createStatement() {
  const batches: (readonly string[])[] = [];
  const run = createBatchedStatement({
    getKey: (item: string) => item,
    async run(items) {
      const batch = batches.push(items);
      await new Promise(setImmediate);
      return new Map(items.map((item) => [item, batch]));
    },
  });
  return { batches, run };
}

/** A statement whose first batch waits for `firstStatement`. */
function createHangingStatement() {
  const firstStatement = Promise.withResolvers<void>();
  const batches: (readonly string[])[] = [];
  const run = createBatchedStatement({
    getKey: (item: string) => item,
    async run(items) {
      if (batches.push(items) === 1) await firstStatement.promise;
      return new Map(items.map((item) => [item, item]));
    },
  });
  return { firstStatement, batches, run };
}

afterEach(() => {
  vi.useRealTimers();
});

test('simultaneous changes share a statement, except for those of the same row', async () => {
  const { batches, run } = createStatement();
  expect(await Promise.all([run('a'), run('b'), run('a')])).toEqual([1, 1, 2]);
  expect(batches).toEqual([['a', 'b'], ['a']]);
});

test('if one item fails, the others of its batch succeed, and everybody who waits for it learns of it', async () => {
  const run = createBatchedStatement({
    getKey: (item: string) => item,
    async run(items) {
      if (items.includes('bad')) throw new Error('refused');
      return new Map(items.map((item) => [item, item]));
    },
  });
  const results = await Promise.allSettled(['good', 'bad', 'bad'].map(run));
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  ).toEqual(['good', 'Error: refused', 'Error: refused']);
});

test('items that arrive while a statement runs share the next one, which starts after 20 ms at the latest', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { firstStatement, batches, run } = createHangingStatement();
  const results = [run('a')];
  await new Promise(setImmediate);
  results.push(run('b'));
  await new Promise(setImmediate);
  results.push(run('c'));
  vi.advanceTimersByTime(19);
  expect(batches).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([['a'], ['b', 'c']]);
  firstStatement.resolve();
  await Promise.all(results);
});

test('while a statement hangs, changes of other rows go on, and those of its rows wait for it', async () => {
  const { firstStatement, batches, run } = createHangingStatement();
  const hanging = [run('a'), run('a')];
  await new Promise(setImmediate);
  expect(await run('b')).toBe('b');
  expect(batches).toEqual([['a'], ['b']]);
  firstStatement.resolve();
  await Promise.all(hanging);
  expect(batches).toEqual([['a'], ['b'], ['a']]);
});
