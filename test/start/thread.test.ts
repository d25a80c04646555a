import { expect, test } from 'vitest';
import { startThread } from '../../src/start/thread.ts';

const workerProgram = new URL('./programs/part.ts', import.meta.url);

test('the start fails if the thread ends before it is ready', async () => {
  await expect(startThread(workerProgram, { ends: 'before' }, () => undefined)).rejects.toThrow(
    /ended with 3/,
  );
});

test('the parent is notified if the thread ends on its own, even without an error', async () => {
  const ended = new Promise<Error>((resolve) => {
    void startThread(workerProgram, { ends: 'after' }, resolve);
  });
  expect((await ended).message).toMatch(/ended with 4/);
});

test('the parent isn’t notified if it closes the thread itself', async () => {
  const ends: Error[] = [];
  const { facts, close } = await startThread(workerProgram, {}, (error) => ends.push(error));
  expect(facts).toEqual({ name: 'part' });
  await close();
  expect(ends).toEqual([]);
});
