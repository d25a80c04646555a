import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCheckQueue } from '../../src/imports/check-queue.ts';

/** Starts checks of these workspaces, which end when the test says so, and lists those that run. */
function startChecks(workspaces: readonly string[], maxChecks: number) {
  const runInTurn = createCheckQueue(maxChecks);
  const running: string[] = [];
  const ends = workspaces.map(() => Promise.withResolvers<void>());
  const results = workspaces.map((workspace, index) =>
    runInTurn(workspace, async () => {
      running.push(`${workspace}${index}`);
      try {
        await ends[index]?.promise;
      } finally {
        running.splice(running.indexOf(`${workspace}${index}`), 1);
      }
      return index;
    }),
  );
  const listRunning = async () => {
    await nextTurn();
    return running.toSorted();
  };
  return { ends, results, listRunning };
}

test('many tables of one workspace take turns, and leave room for another one', async () => {
  const { ends, results, listRunning } = startChecks(['a', 'a', 'a', 'b'], 2);
  expect(await listRunning()).toEqual(['a0', 'b3']);
  ends[0]?.resolve();
  expect(await listRunning()).toEqual(['a1', 'b3']);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('a few tables of all workspaces are checked at once, and a failed one makes room', async () => {
  const { ends, results, listRunning } = startChecks(['a', 'b', 'c', 'a'], 2);
  expect(await listRunning()).toEqual(['a0', 'b1']);
  ends[0]?.reject(new Error('the service is down'));
  await expect(results[0]).rejects.toThrow('the service is down');
  expect(await listRunning()).toEqual(['b1', 'c2']);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results.slice(1))).toEqual([1, 2, 3]);
});
