import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlots } from '../src/slots.ts';

test('a free slot goes to the key that uses the fewest, and then to whoever has waited longest', async () => {
  const createSlot = createSlots({ maxSlots: 3, maxSlotsPerKey: 2 });
  const started: string[] = [];
  const slots = ['a', 'a', 'a', 'b', 'c', 'b'].map((key, index) => {
    const slot = createSlot(key);
    void slot.acquire().then(() => started.push(`${key}${index}`));
    return slot;
  });
  const listStarted = async () => {
    await nextTurn();
    return started;
  };
  expect(await listStarted()).toEqual(['a0', 'a1', 'b3']);
  slots[0]?.release();
  expect(await listStarted()).toEqual(['a0', 'a1', 'b3', 'c4']);
  slots[1]?.release();
  expect(await listStarted()).toEqual(['a0', 'a1', 'b3', 'c4', 'a2']);
  expect(slots.map(({ isWaiting }) => isWaiting)).toEqual([false, false, false, false, false, true]);
  slots[5]?.release();
  slots[4]?.release();
  expect(await listStarted()).toHaveLength(5);
});

test('thousands that wait take little time', () => {
  const createSlot = createSlots({ maxSlots: 4, maxSlotsPerKey: 2 });
  const { user } = process.threadCpuUsage();
  const slots = Array.from({ length: 16_000 }, (_, index) => createSlot(`key ${index % 100}`));
  for (const slot of slots) void slot.acquire();
  for (const slot of slots) slot.release();
  expect((process.threadCpuUsage().user - user) / 1_000).toBeLessThan(2_000);
});
