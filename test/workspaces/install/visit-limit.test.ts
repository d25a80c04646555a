import { expect, test } from 'vitest';
import { visitLimit } from '../../../src/workspaces/install/visit-limit.ts';

test('each address has its own limit, and a new one after a minute', () => {
  let now = 0;
  const mayCome = visitLimit(() => now);
  const visits = (address: string, count: number) =>
    Array.from({ length: count }, () => mayCome(address)).filter(Boolean).length;
  expect(visits('192.0.2.1', 200)).toBe(120);
  expect(visits('192.0.2.2', 5)).toBe(5);
  now = 59_999;
  expect(visits('192.0.2.1', 1)).toBe(0);
  now = 60_000;
  expect(visits('192.0.2.1', 200)).toBe(120);
});

test('more addresses than anybody needs are not remembered, and come again later', () => {
  let now = 0;
  const mayCome = visitLimit(() => now);
  const may = Array.from({ length: 10_001 }, (_, index) => mayCome(`address ${index}`));
  expect(may.filter(Boolean)).toHaveLength(10_000);
  now = 60_000;
  expect(mayCome('somebody new')).toBe(true);
});
