import { afterAll, beforeAll, expect, test } from 'vitest';
import { haltOf, resumeSending, stopSending } from '../../src/delivery/halt.ts';
import { bringOn } from '../../src/submissions/bring-on.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { sentBy, testMachine, wordService } from '../support/sent-words.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

const rows = () => database.db.selectFrom('submission').selectAll().execute();

test('once all sending is stopped, what people submit is kept, and goes out when it is resumed', async () => {
  const service = wordService();
  const kind = service.kind();
  const { submissions, machine } = testMachine(database.db, kind);
  submissions.start();
  await stopSending(database.db, { why: 'the wrong texts go out', since: new Date() });
  const on = await bringOn(machine, kind, [sentBy('kept')]);
  expect(typeof on === 'string' ? on : (await on.ended).map(({ state, why }) => [state, why])).toEqual([
    ['retryable', 'halted'],
  ]);
  // It comes up again and again meanwhile, and stays.
  await database.db.updateTable('submission').set({ next_at: new Date() }).execute();
  machine.wake(new Date());
  await expect.poll(async () => (await rows())[0]?.fence).toBeGreaterThan(1);
  await expect.poll(async () => (await rows())[0]?.lease_until).toBeNull();
  expect(service.sent).toEqual([]);
  await resumeSending(database.db, new Date());
  await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['confirmed']);
  expect(service.sent).toEqual(['kept']);
  await submissions.stop();
});

test('who was about to send when it was stopped does not', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine } = testMachine(database.db, kind, {
    pace: {
      at: async (point) => {
        if (point !== 'before-sending' || (await haltOf(database.db))) return;
        await stopSending(database.db, { why: '', since: new Date() });
      },
    },
  });
  const on = await bringOn(machine, kind, [sentBy('about to go')]);
  if (typeof on !== 'string') await on.ended;
  expect(service.sent).toEqual([]);
  expect(await rows()).toContainEqual(expect.objectContaining({ state: 'saved' }));
  await resumeSending(database.db, new Date());
});
