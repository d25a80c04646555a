import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGiveWay } from '../src/promises.ts';

test.each([
  { others: 'that works meanwhile', workMs: 1, isResting: true },
  { others: 'without work', workMs: 0, isResting: false },
])('long work rests after its turn for others $others: $isResting', async ({ workMs, isResting }) => {
  let time = 0;
  const turn = createGiveWay(() => time);
  expect(turn.isDue()).toBe(false);
  time += 15;
  expect(turn.isDue()).toBe(true);
  setImmediate(() => {
    time += workMs;
  });
  const turns: string[] = [];
  const given = turn.giveWay().then(() => turns.push('long work'));
  for (let count = 0; count < 5; count += 1) {
    await nextTurn();
    turns.push('others');
  }
  await given;
  expect(turns.indexOf('long work') === 5).toBe(isResting);
  expect(turn.isDue()).toBe(false);
});
