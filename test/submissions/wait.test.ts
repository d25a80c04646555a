import { expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

/** No wait goes beyond the publishing time or the 24 hours of retries. */

const words = setUpWords();

const { service, readRows, submit } = words;

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const hourLimit = { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 3_600_000 } as const;

test('a post that becomes overdue during a slow count is not sent', async () => {
  const plainKind = service.kind();
  const { unknownOutcome } = plainKind;
  if (unknownOutcome.strategy !== 'reconcile') throw new Error('words must be reconciled');
  const countEqual: typeof unknownOutcome.countEqual = async (api, content) => {
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
    return unknownOutcome.countEqual(api, content);
  };
  const kind = { ...plainKind, unknownOutcome: { ...unknownOutcome, countEqual } };
  const { context } = words.createRunning(kind);
  const due = new Date(Date.now() + 1_000).toISOString();
  expect(await submit(context, kind, createWordSubmission('hello', { due }))).toBe('needs-person');
  expect(service.sentTexts).toEqual([]);
});

test('while a service requests an hour’s wait, authors of posts that become overdue are notified in time', async () => {
  service.scriptCalls({ ending: hourLimit });
  const kind = service.kind();
  const { context, shownTexts } = words.createRunning(kind);
  expect(await submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  const due = new Date(Date.now() + 400).toISOString();
  expect(await submit(context, kind, createWordSubmission('soon', { due }))).toBe('retryable');
  const [waitingRow] = await readRows();
  expect((waitingRow?.next_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  await expect.poll(() => shownTexts.join()).toContain('Its time has passed');
  expect(service.sentTexts).toEqual(['hello']);
});

test('an author is notified at once if a post becomes overdue during a call that the service rate-limits', async () => {
  const plainKind = service.kind();
  const kind: SubmissionKind<Word> = {
    ...plainKind,
    async send(api, content) {
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
      return plainKind.send(api, content);
    },
  };
  service.scriptCalls({ ending: hourLimit });
  const { context, shownTexts } = words.createRunning(kind);
  const due = new Date(Date.now() + 500).toISOString();
  expect(await submit(context, kind, createWordSubmission('soon', { due }))).toBe('retryable');
  await expect.poll(() => shownTexts.join()).toContain('Its time has passed');
  expect(service.sentTexts).toEqual(['soon']);
});

test('a submission whose content cannot be decrypted waits even if it is overdue', async () => {
  service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  const firstInstance = words.createStopped(kind);
  await submit(
    firstInstance.context,
    kind,
    createWordSubmission('hello', { due: new Date(Date.now() + 60_000).toISOString() }),
  );
  const unreadableContent = 'v1:lost:AAAA';
  const overdueTime = new Date(Date.now() - 1_000);
  await words.db
    .updateTable('submission')
    .set({ content: unreadableContent, publish_at: overdueTime, next_at: overdueTime })
    .execute();
  words.createRunning(kind, { pace: { probeIntervalMs: 60_000 } });
  await expect
    .poll(async () => ((await readRows())[0]?.next_at?.getTime() ?? 0) - Date.now())
    .toBeGreaterThan(50_000);
});

test('after an unknown outcome the author is asked in time, however long the service asks Upnext to wait', async () => {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  service.setListOutcome(undefined);
  const kind = service.kind();
  const { context } = words.createRunning(kind, {
    findApiClient: async () => client,
    pace: { giveUpMs: 600 },
  });
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
