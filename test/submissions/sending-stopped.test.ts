import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { addMs } from '../../src/engine/clock.ts';
import {
  findSendingStop,
  resumeSending,
  stopAllSending,
  stopSending,
} from '../../src/engine/sending-stop.ts';
import { insertSubmission } from '../../src/submissions/sql/insert.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

const words = setUpWords();

const { service, readRows, readStates } = words;

test('while sending is stopped, submissions are saved, and they are sent when sending resumes', async () => {
  const kind = service.kind();
  const { context } = words.createRunning(kind);
  await stopSending(words.db, { reason: 'wrong copy in the launch posts', since: new Date() });
  await words.submit(context, kind, createWordSubmission('hello'));
  expect(await readRows()).toMatchObject([{ state: 'retryable', reason: 'sending-stopped' }]);
  // Meanwhile the poll claims the submission repeatedly, without sending it.
  await words.db.updateTable('submission').set({ next_at: new Date() }).execute();
  context.verbs.wake(new Date());
  await expect.poll(async () => (await readRows())[0]?.fence).toBeGreaterThan(1);
  await expect.poll(async () => (await readRows())[0]?.lease_until).toBeNull();
  expect(service.sentTexts).toEqual([]);
  await resumeSending(words.db, CAPABILITIES, new Date());
  await expect.poll(readStates).toEqual(['confirmed']);
  expect(service.sentTexts).toEqual(['hello']);
});

test('an instance does not send a submission if sending is stopped right before the call', async () => {
  const kind = service.kind();
  const { context } = words.createStopped(kind, {
    pace: {
      onCrashPoint: async (point) => {
        if (point !== 'before-sending' || (await findSendingStop(words.db))) return;
        await stopSending(words.db, { reason: '', since: new Date() });
      },
    },
  });
  await words.submit(context, kind, createWordSubmission('about to go'));
  expect(service.sentTexts).toEqual([]);
  expect(await readRows()).toContainEqual(expect.objectContaining({ state: 'saved' }));
  await resumeSending(words.db, CAPABILITIES, new Date());
});

test('a submission that was claimed before a stop isn’t sent under that claim, even if its statement saw no stop', async () => {
  const { context } = words.createStopped(service.kind());
  const now = context.clock.readShared();
  const id = randomUUID();
  const row = await insertSubmission(words.db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'word', origin: id, item: 0, revision: 0 },
    ...{ channel: null, content: null, project: 'p1', createdAt: now, leaseUntil: addMs(now, 60_000) },
  });
  if (!row) throw new Error('the row was not inserted');
  await stopAllSending(words.db, CAPABILITIES, { reason: '', since: now });
  // Like a statement that began before the stop.
  await words.db.deleteFrom('sending_stop').execute();
  expect(await context.verbs.beginSending(row, 'sending')).toBeUndefined();
});
