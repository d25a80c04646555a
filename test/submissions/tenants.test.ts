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
beforeEach(() => database.db.deleteFrom('submission').execute());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const createSharedServiceClient = async () => ({ ...client, address: 'http://shared' });
const createSeparateServiceClient = async (workspace: string) => ({
  ...client,
  address: `http://${workspace}`,
});
const noResponse = { ending: { kind: 'unknown', cause: 'timed-out' } as const };
const unavailable = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };

const findRow = (workspace: string) =>
  database.db
    .selectFrom('submission')
    .select(['state', 'reason', 'attempts'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();

async function submit(machine: Machine, kind: SubmissionKind<Word>, workspace: string, text = 'hello') {
  const saveResult = await saveAndSend(machine, kind, [{ ...wordSubmission(text), workspace }]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
}

test.each([
  ['a separate service', createSeparateServiceClient],
  ['the same service', createSharedServiceClient],
])('a change with an unknown outcome in one workspace blocks no other workspace (%s)', async (_, apiFor) => {
  const service = wordService();
  service.next(noResponse);
  const kind = service.kind('repeat');
  const { machine } = createTestMachine(database.db, kind, { apiFor, random: () => 1 });
  await submit(machine, kind, 'T1');
  expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
  await submit(machine, kind, 'T2');
  expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
});

test('a newer change in one workspace does not replace an older change in another workspace', async () => {
  const service = wordService();
  service.next(noResponse, { ending: { kind: 'done', data: null } });
  const kind = service.kind('repeat');
  const { machine, submissions } = createTestMachine(database.db, kind, {
    apiFor: createSharedServiceClient,
  });
  await submit(machine, kind, 'T1');
  await submit(machine, kind, 'T2');
  submissions.start();
  stops.push(() => submissions.stop());
  await expect.poll(() => findRow('T1')).toMatchObject({ state: 'confirmed', reason: null });
});

test('equal posts of two workspaces on one service are sent one at a time, and both arrive once', async () => {
  const service = wordService();
  service.next({ ...noResponse, applied: true });
  const kind = service.kind('reconcile');
  const { machine, submissions, shown } = createTestMachine(database.db, kind, {
    apiFor: createSharedServiceClient,
  });
  await submit(machine, kind, 'T1');
  expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
  await submit(machine, kind, 'T2');
  expect(await findRow('T2')).toMatchObject({ attempts: 0 });
  submissions.start();
  stops.push(() => submissions.stop());
  await expect.poll(() => findRow('T1')).toMatchObject({ state: 'confirmed' });
  await expect.poll(() => findRow('T2')).toMatchObject({ state: 'confirmed' });
  expect(service.stored).toEqual(['hello', 'hello']);
  expect(shown.join()).not.toMatch(/T1|T2/);
});

test('equal posts of two workspaces on two services are sent at the same time', async () => {
  const service = wordService();
  service.next(noResponse);
  const kind = service.kind('reconcile');
  const { machine } = createTestMachine(database.db, kind, { apiFor: createSeparateServiceClient });
  await submit(machine, kind, 'T1');
  await submit(machine, kind, 'T2');
  expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
  expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
});

test('failed calls of one workspace open no circuit breaker for another workspace on the same service', async () => {
  const service = wordService();
  service.next(unavailable);
  const kind = service.kind('ask');
  const { machine } = createTestMachine(database.db, kind, {
    apiFor: createSharedServiceClient,
    pace: { breaker: { failures: 1, firstMs: 60_000, maxMs: 60_000 } },
  });
  await submit(machine, kind, 'T1');
  expect(await findRow('T1')).toMatchObject({ state: 'retryable' });
  await submit(machine, kind, 'T2');
  expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
});

test('the author of a post is known only within the workspace', async () => {
  const service = wordService();
  const kind = service.kind('reconcile');
  const { machine, submissions } = createTestMachine(database.db, kind, {
    apiFor: createSharedServiceClient,
  });
  await submit(machine, kind, 'T1');
  const equal = { project: 'p1', fingerprint: 'hello' };
  expect(await submissions.findAuthor({ workspace: 'T1', kind: 'word', equal })).toBe('U1');
  expect(await submissions.findAuthor({ workspace: 'T2', kind: 'word', equal })).toBeUndefined();
});
