import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const down = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };
const stateOf = async (workspace: string) =>
  database.db.selectFrom('submission').select('state').where('workspace', '=', workspace).execute();

async function press(machine: Machine, kind: SubmissionKind<Word>, workspace: string) {
  const on = await saveAndSend(machine, kind, [{ ...wordSubmission('hello'), workspace }]);
  if (typeof on !== 'string') await on.finalRows;
}

test('a service that recovers wakes the submissions that wait for it, and no others', async () => {
  const service = wordService();
  service.next(down, down);
  const kind = service.kind('ask');
  const apiFor = async (workspace: string) => ({ ...client, address: `http://${workspace}` });
  const { submissions, machine } = createTestMachine(database.db, kind, {
    apiFor,
    random: () => 1,
    pace: { retryMs: { firstMs: 60_000, maxMs: 60_000 }, breaker: { failures: 1, firstMs: 1, maxMs: 1 } },
  });
  await press(machine, kind, 'T1');
  await press(machine, kind, 'T2');
  submissions.start();
  stops.push(() => submissions.stop());
  const breaker = machine.getBreaker({ workspace: 'T1', address: (await apiFor('T1')).address }, 'writes');
  let probe = breaker.enter('probe');
  await expect
    .poll(() => (probe = 'report' in probe ? probe : breaker.enter('probe')))
    .toHaveProperty('report');
  if ('report' in probe) probe.report({ kind: 'done', data: null, requestId: 'r' });
  await expect.poll(() => stateOf('T1')).toEqual([{ state: 'confirmed' }]);
  expect(await stateOf('T2')).toEqual([{ state: 'retryable' }]);
});

test('submissions of a project with its own connection go to that service', async () => {
  const service = wordService();
  const requestedProjects: (string | undefined)[] = [];
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind, {
    apiFor: async (_workspace: string, project?: string) => {
      requestedProjects.push(project);
      return client;
    },
  });
  await press(machine, kind, 'T1');
  expect(new Set(requestedProjects)).toEqual(new Set(['p1']));
});

test('a submission of a kind that was switched off meanwhile is not sent', async () => {
  const service = wordService();
  const kind = service.kind('ask');
  const { machine, shown, submissions } = createTestMachine(database.db, kind, {
    isSwitchedOff: (name) => name === 'word',
  });
  await press(machine, kind, 'T1');
  expect(service.sent).toEqual([]);
  submissions.start();
  stops.push(() => submissions.stop());
  await expect.poll(() => shown.join()).toContain('switched this off');
});

test('two instances whose clocks differ by a minute respect each other’s leases', async () => {
  const service = wordService();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const kind = service.kind('ask', {
    send: async () => {
      await answered;
      return { kind: 'done', data: null, requestId: 'r' };
    },
  });
  let clockReads = 0;
  const ownClock = () => {
    clockReads += 1;
    return Date.now() + 60_000;
  };
  const ahead = createTestMachine(database.db, kind, { readLocalTime: ownClock, pace: { leaseMs: 20_000 } });
  const { machine } = createTestMachine(database.db, kind, { pace: { leaseMs: 20_000 } });
  const pressing = press(machine, kind, 'T1');
  await expect.poll(() => stateOf('T1')).toEqual([{ state: 'sending' }]);
  ahead.submissions.start();
  stops.push(() => ahead.submissions.stop());
  const before = clockReads;
  await expect.poll(() => clockReads).toBeGreaterThan(before + 20);
  expect(await stateOf('T1')).toEqual([{ state: 'sending' }]);
  answer();
  await pressing;
  expect(await stateOf('T1')).toEqual([{ state: 'confirmed' }]);
});
