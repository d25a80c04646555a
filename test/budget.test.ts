import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBudget } from '../src/budget.ts';

const LIMITS = { maxSteps: 3, maxOutput: 10, maxMs: 20 };

function setUp() {
  let time = 0;
  const budget = createBudget(LIMITS, () => time);
  const work = (ms: number) => {
    time += ms;
  };
  return { budget, work };
}

test('a budget ends after its steps, and after its output', () => {
  const { budget } = setUp();
  budget.spend(2);
  budget.spend();
  expect(() => budget.spend()).toThrow(expect.objectContaining({ limit: 'maxSteps' }));
  budget.produce(10);
  expect(() => budget.produce(1)).toThrow(expect.objectContaining({ limit: 'maxOutput' }));
});

test('it lets others work only when a turn has lasted long enough', async () => {
  const { budget, work } = setUp();
  let isOthersTurn = false;
  setImmediate(() => {
    isOthersTurn = true;
  });
  work(1);
  await budget.giveWay();
  expect(isOthersTurn).toBe(false);
  work(1);
  await budget.giveWay();
  expect(isOthersTurn).toBe(true);
});

test.each([
  { wait: 'a wait', isPaused: true },
  { wait: 'a wait before its work', isPaused: false },
])('it rests as long as it has worked, without $wait', async ({ isPaused }) => {
  const { budget, work } = setUp();
  if (isPaused) budget.pause();
  work(60_000);
  budget.resume();
  work(1);
  // Others work meanwhile, so that it would rest.
  setImmediate(() => work(1));
  let hasRested = false;
  const given = budget.giveWay().then(() => {
    hasRested = true;
  });
  for (let count = 0; count < 5; count += 1) await nextTurn();
  expect(hasRested).toBe(true);
  await given;
});

test('it ends after its time on the thread, in which waits don’t count', async () => {
  const { budget, work } = setUp();
  for (let turn = 0; turn < 5; turn += 1) {
    work(4);
    budget.pause();
    work(1_000);
    budget.resume();
    await budget.giveWay();
  }
  work(1);
  expect(() => budget.pause()).toThrow(expect.objectContaining({ limit: 'maxMs' }));
});
