import { expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

const words = setUpWords();
const { service } = words;

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const createSharedServiceClient = async () => ({ ...client, address: 'http://shared' });
const createSeparateServiceClient = async (workspace: string) => ({
  ...client,
  address: `http://${workspace}`,
});
const noResponse = { ending: { kind: 'unknown', cause: 'timed-out' } as const };
const unavailable = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };

const findRow = (workspace: string) =>
  words.db
    .selectFrom('submission')
    .select(['state', 'reason', 'attempts'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();

async function submit(
  context: SubmissionContext,
  kind: SubmissionKind<Word>,
  workspace: string,
  text = 'hello',
) {
  await words.submit(context, kind, { ...createWordSubmission(text), workspace });
}

test.each([
  ['a separate service', createSeparateServiceClient],
  ['the same service', createSharedServiceClient],
])(
  'a change with an unknown outcome in one workspace blocks no other workspace (%s)',
  async (_, findApiClient) => {
    service.scriptCalls(noResponse);
    const kind = service.kind('repeat');
    const { context } = words.createStopped(kind, { findApiClient, random: () => 1 });
    await submit(context, kind, 'T1');
    expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
    await submit(context, kind, 'T2');
    expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
  },
);

test('a newer change in one workspace does not replace an older change in another workspace', async () => {
  service.scriptCalls(noResponse, { ending: { kind: 'done', data: undefined } });
  const kind = service.kind('repeat');
  const { context, submissions } = words.createStopped(kind, {
    findApiClient: createSharedServiceClient,
  });
  await submit(context, kind, 'T1');
  await submit(context, kind, 'T2');
  submissions.start();
  words.stopAfterTest(() => submissions.stop());
  await expect.poll(() => findRow('T1')).toMatchObject({ state: 'confirmed', reason: null });
});

test('equal posts of two workspaces on one service are sent one at a time, and both arrive once', async () => {
  service.scriptCalls({ ...noResponse, applied: true });
  const kind = service.kind('reconcile');
  const { context, submissions, shownTexts } = words.createStopped(kind, {
    findApiClient: createSharedServiceClient,
  });
  await submit(context, kind, 'T1');
  expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
  await submit(context, kind, 'T2');
  expect(await findRow('T2')).toMatchObject({ attempts: 0 });
  submissions.start();
  words.stopAfterTest(() => submissions.stop());
  await expect.poll(() => findRow('T1')).toMatchObject({ state: 'confirmed' });
  await expect.poll(() => findRow('T2')).toMatchObject({ state: 'confirmed' });
  expect(service.storedTexts).toEqual(['hello', 'hello']);
  expect(shownTexts.join()).not.toMatch(/T1|T2/);
});

test('equal posts of two workspaces on two services are sent at the same time', async () => {
  service.scriptCalls(noResponse);
  const kind = service.kind('reconcile');
  const { context } = words.createStopped(kind, {
    findApiClient: createSeparateServiceClient,
  });
  await submit(context, kind, 'T1');
  await submit(context, kind, 'T2');
  expect(await findRow('T1')).toMatchObject({ state: 'unknown' });
  expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
});

test('failed calls of one workspace open no circuit breaker for another workspace on the same service', async () => {
  service.scriptCalls(unavailable);
  const kind = service.kind('ask');
  const { context } = words.createStopped(kind, {
    findApiClient: createSharedServiceClient,
    pace: { breaker: { failures: 1, firstMs: 60_000, maxMs: 60_000 } },
  });
  await submit(context, kind, 'T1');
  expect(await findRow('T1')).toMatchObject({ state: 'retryable' });
  await submit(context, kind, 'T2');
  expect(await findRow('T2')).toMatchObject({ state: 'confirmed' });
});
