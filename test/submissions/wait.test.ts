import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import {
  createTestSubmissions,
  createWordService,
  createWordSubmission,
  type Word,
} from '../support/word-submissions.ts';

/** No wait goes beyond the publishing time or the 24 hours of retries. */

let database: BotDatabase;
const stopFunctions: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
  await database.db.deleteFrom('service_pause').execute();
});
afterEach(async () => {
  for (const stop of stopFunctions.splice(0)) await stop();
});
afterAll(() => database.close());

const readRows = () =>
  database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const hourLimit = { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 3_600_000 } as const;

function startSubmissions(
  kind: SubmissionKind<Word>,
  options: Parameters<typeof createTestSubmissions>[2] = {},
) {
  const instance = createTestSubmissions(database.db, kind, options);
  instance.submissions.start();
  stopFunctions.push(() => instance.submissions.stop());
  return instance;
}

/** Submits once and returns the state after the first attempt. */
async function submit(
  context: SubmissionContext,
  kind: SubmissionKind<Word>,
  submission: ReturnType<typeof createWordSubmission>,
) {
  const saveResult = await saveAndSend(context, kind, [submission]);
  if (typeof saveResult === 'string') return saveResult;
  const [row] = await saveResult.attemptedRows;
  return row?.state;
}

test('a post that becomes overdue during a slow count is not sent', async () => {
  const service = createWordService();
  const plainKind = service.kind();
  const { unknownOutcome } = plainKind;
  if (unknownOutcome.strategy !== 'reconcile') throw new Error('words must be reconciled');
  const countEqual: typeof unknownOutcome.countEqual = async (api, content) => {
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
    return unknownOutcome.countEqual(api, content);
  };
  const kind = { ...plainKind, unknownOutcome: { ...unknownOutcome, countEqual } };
  const { context } = startSubmissions(kind);
  const due = new Date(Date.now() + 1_000).toISOString();
  expect(await submit(context, kind, createWordSubmission('hello', { due }))).toBe('needs-person');
  expect(service.sentTexts).toEqual([]);
});

test('while a service requests an hour’s wait, authors of posts that become overdue are notified in time', async () => {
  const service = createWordService();
  service.scriptCalls({ ending: hourLimit });
  const kind = service.kind();
  const { context, shownTexts } = startSubmissions(kind);
  expect(await submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  const due = new Date(Date.now() + 400).toISOString();
  expect(await submit(context, kind, createWordSubmission('soon', { due }))).toBe('retryable');
  const [waitingRow] = await readRows();
  expect((waitingRow?.next_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  await expect.poll(() => shownTexts.join()).toContain('Its time has passed');
  expect(service.sentTexts).toEqual(['hello']);
});

test('an author is notified at once if a post becomes overdue during a call that the service rate-limits', async () => {
  const service = createWordService();
  const plainKind = service.kind();
  const kind: SubmissionKind<Word> = {
    ...plainKind,
    async send(api, content) {
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
      return plainKind.send(api, content);
    },
  };
  service.scriptCalls({ ending: hourLimit });
  const { context, shownTexts } = startSubmissions(kind);
  const due = new Date(Date.now() + 500).toISOString();
  expect(await submit(context, kind, createWordSubmission('soon', { due }))).toBe('retryable');
  await expect.poll(() => shownTexts.join()).toContain('Its time has passed');
  expect(service.sentTexts).toEqual(['soon']);
});

test('a submission whose content cannot be decrypted waits even if it is overdue', async () => {
  const service = createWordService();
  service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  const firstInstance = createTestSubmissions(database.db, kind);
  await submit(
    firstInstance.context,
    kind,
    createWordSubmission('hello', { due: new Date(Date.now() + 60_000).toISOString() }),
  );
  const unreadableContent = 'v1:lost:AAAA';
  const overdueTime = new Date(Date.now() - 1_000);
  await database.db
    .updateTable('submission')
    .set({ content: unreadableContent, publish_at: overdueTime, next_at: overdueTime })
    .execute();
  startSubmissions(kind, { pace: { probeIntervalMs: 60_000 } });
  await expect
    .poll(async () => ((await readRows())[0]?.next_at?.getTime() ?? 0) - Date.now())
    .toBeGreaterThan(50_000);
});

test('after an unknown outcome the author is asked in time, however long the service asks Upnext to wait', async () => {
  const service = createWordService();
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  service.setListOutcome(undefined);
  const kind = service.kind();
  const { context } = startSubmissions(kind, { findApiClient: async () => client, pace: { giveUpMs: 600 } });
  const [, readPermit] = [
    await submit(context, kind, createWordSubmission('hello')),
    context
      .getBreaker({ workspace: 'T1', address: client.address }, 'reads')
      .enter(undefined, client.credential),
  ];
  if ('report' in readPermit) readPermit.report({ ...hourLimit, requestId: 'r' });
  await expect
    .poll(async () => (await readRows()).map(({ state, reason }) => [state, reason]))
    .toEqual([['needs-person', 'cannot-tell']]);
});
