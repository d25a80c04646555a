import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyDecision } from '../../src/submissions/press.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => database.db.deleteFrom('submission').execute());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const stateOf = async () => (await database.db.selectFrom('submission').select(['id', 'state']).execute())[0];

test('an instance that gets its lease too late does not send, because the author has sent the post again meanwhile', async () => {
  const service = wordService();
  const kind = service.kind();
  const thaw = Promise.withResolvers<void>();
  const frozen = createTestMachine(database.db, kind, {
    pace: {
      leaseMs: 200,
      beginMs: 100,
      onCrashPoint: (point) => (point === 'after-sending' ? thaw.promise : undefined),
    },
  });
  const on = await saveAndSend(frozen.machine, kind, [wordSubmission('hello')]);
  if (typeof on === 'string') throw new Error('the submission was not saved');
  await expect.poll(stateOf).toMatchObject({ state: 'sending' });

  const other = createTestMachine(database.db, kind, { apiFor: frozen.machine.apiFor });
  other.submissions.start();
  stops.push(() => other.submissions.stop());
  await expect.poll(stateOf).toMatchObject({ state: 'needs-person' });
  const { id = '' } = (await stateOf()) ?? {};
  await applyDecision(other.machine, { workspace: 'T1', user: 'U1', runsProject: () => false }, id, 'retry');
  expect(service.sent).toEqual(['hello']);

  thaw.resolve();
  await on.finalRows;
  expect(service.sent).toEqual(['hello']);
  expect(await stateOf()).toMatchObject({ state: 'confirmed' });
});

test('an instance that gets its lease slightly too late retries with a new lease', async () => {
  const service = wordService();
  const kind = service.kind();
  let late = true;
  const { machine, submissions } = createTestMachine(database.db, kind, {
    pace: {
      beginMs: 50,
      onCrashPoint: async (point) => {
        if (point === 'after-sending' && late) await delay(100);
        if (point === 'after-sending') late = false;
      },
    },
  });
  submissions.start();
  stops.push(() => submissions.stop());
  await saveAndSend(machine, kind, [wordSubmission('hello')]);
  await expect.poll(stateOf).toMatchObject({ state: 'confirmed' });
  expect(service.sent).toEqual(['hello']);
});
