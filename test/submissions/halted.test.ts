import { afterAll, beforeAll, expect, test } from 'vitest';
import { findHalt, resumeSending, stopSending } from '../../src/delivery/permit.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

const rows = () => database.db.selectFrom('submission').selectAll().execute();

test('while sending is stopped, submissions are saved, and they are sent when sending resumes', async () => {
  const service = wordService();
  const kind = service.kind();
  const { submissions, machine } = createTestMachine(database.db, kind);
  submissions.start();
  await stopSending(database.db, { reason: 'wrong copy in the launch posts', since: new Date() });
  const saveResult = await saveAndSend(machine, kind, [wordSubmission('kept')]);
  expect(
    typeof saveResult === 'string'
      ? saveResult
      : (await saveResult.finalRows).map(({ state, reason }) => [state, reason]),
  ).toEqual([['retryable', 'halted']]);
  // Meanwhile the poll claims the submission repeatedly, without sending it.
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

test('an instance that was about to send when sending was stopped does not send', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind, {
    pace: {
      onCrashPoint: async (point) => {
        if (point !== 'before-sending' || (await findHalt(database.db))) return;
        await stopSending(database.db, { reason: '', since: new Date() });
      },
    },
  });
  const saveResult = await saveAndSend(machine, kind, [wordSubmission('about to go')]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  expect(service.sent).toEqual([]);
  expect(await rows()).toContainEqual(expect.objectContaining({ state: 'saved' }));
  await resumeSending(database.db, new Date());
});
