import { expect, test } from 'vitest';
import { createTurns } from '../../../src/handlers/bolt/signed-requests.ts';

test('requests of one turn of the event loop continue together, after all are read', async () => {
  const events: string[] = [];
  const joinTurn = createTurns();
  const handle = async (name: string) => {
    events.push(`${name} read`);
    await joinTurn();
    events.push(`${name} continues`);
  };
  const first = handle('a');
  // The rest of the first request's work would run before the next request of the turn is read.
  await new Promise((resolve) => process.nextTick(resolve));
  await Promise.all([first, handle('b')]);
  expect(events).toEqual(['a read', 'b read', 'a continues', 'b continues']);
});
