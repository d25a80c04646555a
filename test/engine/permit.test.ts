import { expect, test } from 'vitest';
import { createPermit } from '../../src/engine/permit.ts';

function createTestPermit(leaseMs: number) {
  const clocks = { monotonicMs: 1_000, wallClockMs: 50_000 };
  const permit = createPermit(leaseMs, [() => clocks.monotonicMs, () => clocks.wallClockMs]);
  return { clocks, permit };
}

test('a call may begin only while the rest of the lease is long enough for it', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonicMs += 4_000;
  clocks.wallClockMs += 4_000;
  expect(permit.mayBegin()).toBe(true);
  clocks.monotonicMs += 1;
  expect(permit.mayBegin()).toBe(false);
});

test('a permit expires while the computer sleeps, although its monotonic clock stops', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.wallClockMs += 60_000;
  expect(permit.mayBegin()).toBe(false);
});

test('setting the wall clock back doesn’t extend a permit', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonicMs += 5_000;
  clocks.wallClockMs -= 60_000;
  expect(permit.mayBegin()).toBe(false);
});
