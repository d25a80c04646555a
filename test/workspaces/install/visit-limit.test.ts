import { expect, test } from 'vitest';
import { createVisitLimit } from '../../../src/workspaces/install/visit-limit.ts';

test('each address has a limit of its own, which is reset after a minute', () => {
  let now = 0;
  const mayCome = createVisitLimit(() => now);
  const visits = (address: string, count: number) =>
    Array.from({ length: count }, () => mayCome(address)).filter(Boolean).length;
  expect(visits('192.0.2.1', 200)).toBe(120);
  expect(visits('192.0.2.2', 5)).toBe(5);
  now = 59_999;
  expect(visits('192.0.2.1', 1)).toBe(0);
  now = 60_000;
  expect(visits('192.0.2.1', 200)).toBe(120);
});

test('with too many visitors the first ones are evicted, and nobody is refused because of others', () => {
  const mayCome = createVisitLimit(() => 0);
  for (let visit = 0; visit < 121; visit += 1) mayCome('the first');
  expect(mayCome('the first')).toBe(false);
  const may = Array.from({ length: 10_000 }, (_, index) => mayCome(`visitor ${index}`));
  expect(may.filter(Boolean)).toHaveLength(10_000);
  expect(mayCome('somebody new')).toBe(true);
  expect(mayCome('the first')).toBe(true);
});
