import { expect, test } from 'vitest';
import { createBatchedStatement } from '../../src/store/batched-statement.ts';

/** A statement that records its batches, and returns for each item the number of its batch. */
function createStatement(reads: boolean) {
  const batches: (readonly string[])[] = [];
  const run = createBatchedStatement({
    getKey: (item: string) => item,
    reads,
    async run(items) {
      const batch = batches.push(items);
      await new Promise(setImmediate);
      return new Map(items.map((item) => [item, batch]));
    },
  });
  return { batches, run };
}

test('simultaneous changes share a statement, except for those of the same row', async () => {
  const { batches, run } = createStatement(false);
  expect(await Promise.all([run('a'), run('b'), run('a')])).toEqual([1, 1, 2]);
  expect(batches).toEqual([['a', 'b'], ['a']]);
});

test('simultaneous reads of the same row share a statement, which never began before a read was requested', async () => {
  const { batches, run } = createStatement(true);
  const first = [run('a'), run('b'), run('a')];
  await new Promise(setImmediate);
  expect(batches).toEqual([['a', 'b']]);
  const later = run('a');
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  expect(await later).toBe(2);
});
