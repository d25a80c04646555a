import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

/** No wait goes beyond the publishing time or the 24 hours of retries. */

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
  await database.db.deleteFrom('service_pause').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const rows = () =>
  database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const hourLimit = { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 3_600_000 } as const;

function startMachine(kind: SubmissionKind<Word>, options: Parameters<typeof createTestMachine>[2] = {}) {
  const created = createTestMachine(database.db, kind, options);
  created.submissions.start();
  stops.push(() => created.submissions.stop());
  return created;
}

/** Submits once and returns the state after the first attempt. */
async function submit(
  machine: Machine,
  kind: SubmissionKind<Word>,
  submission: ReturnType<typeof wordSubmission>,
) {
  const saveResult = await saveAndSend(machine, kind, [submission]);
  if (typeof saveResult === 'string') return saveResult;
  const [row] = await saveResult.finalRows;
  return row?.state;
}

test('a post that becomes overdue during a slow count is not sent', async () => {
  const service = wordService();
  const plainKind = service.kind();
  const { whenUnknown } = plainKind;
  if (whenUnknown.way !== 'reconcile') throw new Error('words must be reconciled');
  const count: typeof whenUnknown.count = async (api, content) => {
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
    return whenUnknown.count(api, content);
  };
  const kind = { ...plainKind, whenUnknown: { ...whenUnknown, count } };
  const { machine } = startMachine(kind);
  const due = new Date(Date.now() + 1_000).toISOString();
  expect(await submit(machine, kind, wordSubmission('hello', { due }))).toBe('needs-person');
  expect(service.sent).toEqual([]);
});

test('a service that asks for an hour’s wait is not called earlier, and authors of posts due earlier are notified in time', async () => {
  const service = wordService();
  service.next({ ending: hourLimit });
  const kind = service.kind();
  const { machine, shown } = startMachine(kind);
  expect(await submit(machine, kind, wordSubmission('hello'))).toBe('retryable');
  const due = new Date(Date.now() + 400).toISOString();
  expect(await submit(machine, kind, wordSubmission('soon', { due }))).toBe('retryable');
  const [waitingRow] = await rows();
  expect((waitingRow?.next_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  await expect.poll(() => shown.join()).toContain('Its moment has passed');
  expect(service.sent).toEqual(['hello']);
});

test('an author is notified at once if a post becomes overdue during the call in which the service asks for an hour’s wait', async () => {
  const service = wordService();
  const plainKind = service.kind();
  const kind: SubmissionKind<Word> = {
    ...plainKind,
    async send(api, content) {
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
      return plainKind.send(api, content);
    },
  };
  service.next({ ending: hourLimit });
  const { machine, shown } = startMachine(kind);
  const due = new Date(Date.now() + 500).toISOString();
  expect(await submit(machine, kind, wordSubmission('soon', { due }))).toBe('retryable');
  await expect.poll(() => shown.join()).toContain('Its moment has passed');
  expect(service.sent).toEqual(['soon']);
});

test('a submission whose content cannot be decrypted waits even if it is overdue', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  const first = createTestMachine(database.db, kind);
  await submit(
    first.machine,
    kind,
    wordSubmission('hello', { due: new Date(Date.now() + 60_000).toISOString() }),
  );
  const content = 'v1:lost:AAAA';
  const past = new Date(Date.now() - 1_000);
  await database.db.updateTable('submission').set({ content, publish_at: past, next_at: past }).execute();
  startMachine(kind, { pace: { probeMs: 60_000 } });
  await expect
    .poll(async () => ((await rows())[0]?.next_at?.getTime() ?? 0) - Date.now())
    .toBeGreaterThan(50_000);
});

test('after an unknown outcome the author is asked in time, however long the service asks to wait', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  service.list(undefined);
  const kind = service.kind();
  const { machine } = startMachine(kind, { apiFor: async () => client, pace: { giveUpMs: 600 } });
  const [, pausedEntry] = [
    await submit(machine, kind, wordSubmission('hello')),
    machine
      .getBreaker({ workspace: 'T1', address: client.address }, 'reads')
      .enter(undefined, client.credential),
  ];
  if ('report' in pausedEntry) pausedEntry.report({ ...hourLimit, requestId: 'r' });
  await expect
    .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
    .toEqual([['needs-person', 'cannot-tell']]);
});
