import { expect, test } from 'vitest';
import { sendAltered } from './altered-requests.ts';

test('a request that differs in one byte from the signed request reaches no handler', async () => {
  const { handled, validCount, statuses } = await sendAltered(1_000, 20_261_120);
  expect(handled).toEqual({ valid: validCount, altered: 0 });
  expect(validCount).toBeGreaterThan(5);
  expect([...statuses]).toEqual([[401, 1_000]]);
});
