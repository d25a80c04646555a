import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { addMs } from '../../src/engine/clock.ts';
import {
  findSendingStop,
  resumeSending,
  stopAllSending,
  stopSending,
} from '../../src/engine/sending-stop.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { insertSubmission } from '../../src/submissions/sql/insert.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import {
  createTestSubmissions,
  createWordService,
  createWordSubmission,
} from '../support/word-submissions.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

const readRows = () => database.db.selectFrom('submission').selectAll().execute();

test('while sending is stopped, submissions are saved, and they are sent when sending resumes', async () => {
  const service = createWordService();
  const kind = service.kind();
  const { submissions, context } = createTestSubmissions(database.db, kind);
  submissions.start();
  await stopSending(database.db, { reason: 'wrong copy in the launch posts', since: new Date() });
  const saveResult = await saveAndSend(context, kind, [createWordSubmission('hello')]);
  expect(
    typeof saveResult === 'string'
      ? saveResult
      : (await saveResult.attemptedRows).map(({ state, reason }) => [state, reason]),
  ).toEqual([['retryable', 'sending-stopped']]);
  // Meanwhile the poll claims the submission repeatedly, without sending it.
  await database.db.updateTable('submission').set({ next_at: new Date() }).execute();
  context.verbs.wake(new Date());
  await expect.poll(async () => (await readRows())[0]?.fence).toBeGreaterThan(1);
  await expect.poll(async () => (await readRows())[0]?.lease_until).toBeNull();
  expect(service.sentTexts).toEqual([]);
  await resumeSending(database.db, CAPABILITIES, new Date());
  await expect.poll(async () => (await readRows()).map(({ state }) => state)).toEqual(['confirmed']);
  expect(service.sentTexts).toEqual(['hello']);
  await submissions.stop();
});

test('an instance does not send a submission if sending is stopped right before the call', async () => {
  const service = createWordService();
  const kind = service.kind();
  const { context } = createTestSubmissions(database.db, kind, {
    pace: {
      onCrashPoint: async (point) => {
        if (point !== 'before-sending' || (await findSendingStop(database.db))) return;
        await stopSending(database.db, { reason: '', since: new Date() });
      },
    },
  });
  const saveResult = await saveAndSend(context, kind, [createWordSubmission('about to go')]);
  if (typeof saveResult !== 'string') await saveResult.attemptedRows;
  expect(service.sentTexts).toEqual([]);
  expect(await readRows()).toContainEqual(expect.objectContaining({ state: 'saved' }));
  await resumeSending(database.db, CAPABILITIES, new Date());
});

test('a submission that was claimed before a stop isn’t sent under that claim, even if its statement saw no stop', async () => {
  const { context } = createTestSubmissions(database.db, createWordService().kind());
  const now = context.clock.readShared();
  const id = randomUUID();
  const row = await insertSubmission(database.db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'word', origin: id, item: 0, revision: 0 },
    ...{ channel: null, content: null, project: 'p1', createdAt: now, leaseUntil: addMs(now, 60_000) },
  });
  if (!row) throw new Error('the row was not inserted');
  await stopAllSending(database.db, CAPABILITIES, { reason: '', since: now });
  // Like a statement that began before the stop.
  await database.db.deleteFrom('sending_stop').execute();
  expect(await context.verbs.beginSending(row, 'sending')).toBeUndefined();
});
