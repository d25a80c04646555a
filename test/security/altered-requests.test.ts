import { expect, test } from 'vitest';
import { sendAltered } from './altered-requests.ts';

test('a request that differs in one byte from the signed one reaches no handler', async () => {
  const { handled, good, statuses } = await sendAltered(3_000, 20_261_120);
  expect(handled).toEqual({ good, altered: 0 });
  expect(good).toBeGreaterThan(20);
  expect([...statuses]).toEqual([[401, 3_000]]);
});
