import { expect, test } from 'vitest';
import { startThread } from '../../src/start/thread.ts';

const part = new URL('./programs/part.ts', import.meta.url);

test('a part that ends before it is ready is told, and nobody waits for ever', async () => {
  await expect(startThread(part, { ends: 'before' }, () => undefined)).rejects.toThrow(/ended with 3/);
});

test('a part that ends by itself afterwards is told, also without an error', async () => {
  const ended = new Promise<Error>((resolve) => {
    void startThread(part, { ends: 'after' }, resolve);
  });
  expect((await ended).message).toMatch(/ended with 4/);
});

test('a part that is asked to close has not ended by itself', async () => {
  const told: Error[] = [];
  const { facts, close } = await startThread(part, {}, (error) => told.push(error));
  expect(facts).toEqual({ name: 'part' });
  await close();
  expect(told).toEqual([]);
});
