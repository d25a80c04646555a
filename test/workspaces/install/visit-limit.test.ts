import { expect, test } from 'vitest';
import { createVisitLimit } from '../../../src/workspaces/oauth-directory.ts';

test('each address has a separate limit, which is reset after a minute', () => {
  let now = 0;
  const mayVisit = createVisitLimit(() => now);
  const countAllowedVisits = (address: string, count: number) =>
    Array.from({ length: count }, () => mayVisit(address)).filter(Boolean).length;
  expect(countAllowedVisits('192.0.2.1', 200)).toBe(120);
  expect(countAllowedVisits('192.0.2.2', 5)).toBe(5);
  now = 59_999;
  expect(countAllowedVisits('192.0.2.1', 1)).toBe(0);
  now = 60_000;
  expect(countAllowedVisits('192.0.2.1', 200)).toBe(120);
});

test('with too many visitors the oldest are evicted, and no visitor is refused because of others', () => {
  const mayVisit = createVisitLimit(() => 0);
  for (let visit = 0; visit < 121; visit += 1) mayVisit('the first');
  expect(mayVisit('the first')).toBe(false);
  const results = Array.from({ length: 10_000 }, (_, index) => mayVisit(`visitor ${index}`));
  expect(results.filter(Boolean)).toHaveLength(10_000);
  expect(mayVisit('somebody new')).toBe(true);
  expect(mayVisit('the first')).toBe(true);
});
