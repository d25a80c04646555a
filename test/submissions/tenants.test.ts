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
const onOneService = async () => ({ ...client, address: 'http://shared' });
const onTheirOwn = async (workspace: string) => ({ ...client, address: `http://${workspace}` });
const silence = { ending: { kind: 'unknown', cause: 'timed-out' } as const };
const down = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };

const rowOf = (workspace: string) =>
  database.db
    .selectFrom('submission')
    .select(['state', 'reason', 'attempts'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();

async function press(machine: Machine, kind: SubmissionKind<Word>, workspace: string, text = 'hello') {
  const on = await saveAndSend(machine, kind, [{ ...wordSubmission(text), workspace }]);
  if (typeof on !== 'string') await on.finalRows;
}

test.each([
  ['a service of its own', onTheirOwn],
  ['the same service', onOneService],
])('a change without an answer in one workspace blocks no other workspace, on %s', async (_, apiFor) => {
  const service = wordService();
  service.next(silence);
  const kind = service.kind('repeat');
  const { machine } = createTestMachine(database.db, kind, { apiFor, random: () => 1 });
  await press(machine, kind, 'T1');
  expect(await rowOf('T1')).toMatchObject({ state: 'unknown' });
  await press(machine, kind, 'T2');
  expect(await rowOf('T2')).toMatchObject({ state: 'confirmed' });
});

test('a newer change in another workspace does not replace a change', async () => {
  const service = wordService();
  service.next(silence, { ending: { kind: 'done', data: null } });
  const kind = service.kind('repeat');
  const { machine, submissions } = createTestMachine(database.db, kind, { apiFor: onOneService });
  await press(machine, kind, 'T1');
  await press(machine, kind, 'T2');
  submissions.start();
  stops.push(() => submissions.stop());
  await expect.poll(() => rowOf('T1')).toMatchObject({ state: 'confirmed', reason: null });
});

test('equal posts of two workspaces on one service are sent one at a time, and both arrive once', async () => {
  const service = wordService();
  service.next({ ...silence, applied: true });
  const kind = service.kind('reconcile');
  const { machine, submissions, shown } = createTestMachine(database.db, kind, { apiFor: onOneService });
  await press(machine, kind, 'T1');
  expect(await rowOf('T1')).toMatchObject({ state: 'unknown' });
  await press(machine, kind, 'T2');
  expect(await rowOf('T2')).toMatchObject({ attempts: 0 });
  submissions.start();
  stops.push(() => submissions.stop());
  await expect.poll(() => rowOf('T1')).toMatchObject({ state: 'confirmed' });
  await expect.poll(() => rowOf('T2')).toMatchObject({ state: 'confirmed' });
  expect(service.stored).toEqual(['hello', 'hello']);
  expect(shown.join()).not.toMatch(/T1|T2/);
});

test('equal posts of two workspaces on two services are sent at the same time', async () => {
  const service = wordService();
  service.next(silence);
  const kind = service.kind('reconcile');
  const { machine } = createTestMachine(database.db, kind, { apiFor: onTheirOwn });
  await press(machine, kind, 'T1');
  await press(machine, kind, 'T2');
  expect(await rowOf('T1')).toMatchObject({ state: 'unknown' });
  expect(await rowOf('T2')).toMatchObject({ state: 'confirmed' });
});

test('calls that fail for one workspace open no circuit breaker for another on the same service', async () => {
  const service = wordService();
  service.next(down);
  const kind = service.kind('ask');
  const { machine } = createTestMachine(database.db, kind, {
    apiFor: onOneService,
    pace: { breaker: { failures: 1, firstMs: 60_000, maxMs: 60_000 } },
  });
  await press(machine, kind, 'T1');
  expect(await rowOf('T1')).toMatchObject({ state: 'retryable' });
  await press(machine, kind, 'T2');
  expect(await rowOf('T2')).toMatchObject({ state: 'confirmed' });
});

test('the author of a post is known only within the workspace', async () => {
  const service = wordService();
  const kind = service.kind('reconcile');
  const { machine, submissions } = createTestMachine(database.db, kind, { apiFor: onOneService });
  await press(machine, kind, 'T1');
  const equal = { project: 'p1', fingerprint: 'hello' };
  expect(await submissions.findAuthor({ workspace: 'T1', kind: 'word', equal })).toBe('U1');
  expect(await submissions.findAuthor({ workspace: 'T2', kind: 'word', equal })).toBeUndefined();
});
