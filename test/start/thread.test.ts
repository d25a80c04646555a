import { expect, test } from 'vitest';
import { startThread } from '../../src/start/thread.ts';

const part = new URL('./programs/part.ts', import.meta.url);

test('a thread that ends before it is ready rejects the start', async () => {
  await expect(startThread(part, { ends: 'before' }, () => undefined)).rejects.toThrow(/ended with 3/);
});

test('a thread that ends by itself later calls onEnd, also without an error', async () => {
  const ended = new Promise<Error>((resolve) => {
    void startThread(part, { ends: 'after' }, resolve);
  });
  expect((await ended).message).toMatch(/ended with 4/);
});

test('a thread that is closed by its parent does not call onEnd', async () => {
  const ends: Error[] = [];
  const { facts, close } = await startThread(part, {}, (error) => ends.push(error));
  expect(facts).toEqual({ name: 'part' });
  await close();
  expect(ends).toEqual([]);
});
