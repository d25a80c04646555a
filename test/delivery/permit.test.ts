import { expect, test } from 'vitest';
import { createPermit } from '../../src/delivery/permit.ts';

function createTestPermit(leaseMs: number) {
  const clocks = { monotonic: 1_000, wall: 50_000 };
  const permit = createPermit(leaseMs, [() => clocks.monotonic, () => clocks.wall]);
  return { clocks, permit };
}

test('a call may begin while the remaining lease covers it', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonic += 4_000;
  clocks.wall += 4_000;
  expect(permit.mayBegin()).toBe(true);
  clocks.monotonic += 1;
  expect(permit.mayBegin()).toBe(false);
});

test('a permit expires while the computer sleeps, although its monotonic clock stops', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.wall += 60_000;
  expect(permit.mayBegin()).toBe(false);
});

test('setting the wall clock back doesn’t extend a permit', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonic += 5_000;
  clocks.wall -= 60_000;
  expect(permit.mayBegin()).toBe(false);
});
