import { expect, test } from 'vitest';
import { sendAltered } from './altered-requests.ts';

test('no handler runs for a request that differs in a byte from what Slack signed', async () => {
  const { handled, good, said } = await sendAltered(3_000, 20_261_120);
  expect(handled).toEqual({ good, altered: 0 });
  expect(good).toBeGreaterThan(20);
  expect([...said]).toEqual([[401, 3_000]]);
});
