import { describe, expect, test } from 'vitest';
import { computeEndpointKey } from '../../src/api/address-rules.ts';
import { createApiClient } from '../../src/api/client.ts';
import { createClock } from '../../src/engine/clock.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { getStateCopy } from '../../src/submissions/submission.ts';
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

const findStates = async (workspace: string) =>
  words.db.selectFrom('submission').select('state').where('workspace', '=', workspace).execute();

test('when a service recovers, only the submissions that wait for it are retried at once', async () => {
  service.scriptCalls(unavailable, unavailable);
  const kind = service.kind('ask');
  const findApiClient = async (workspace: string) => ({ ...client, address: `http://${workspace}` });
  const { submissions, context } = words.createStopped(kind, {
    findApiClient,
    random: () => 1,
    pace: {
      retryBackoff: { firstMs: 60_000, maxMs: 60_000 },
      breaker: { failures: 1, firstMs: 1, maxMs: 1 },
    },
  });
  await submit(context, kind, 'T1');
  await submit(context, kind, 'T2');
  submissions.start();
  words.stopAfterTest(() => submissions.stop());
  const breaker = context.getBreaker(
    { workspace: 'T1', address: (await findApiClient('T1')).address },
    'writes',
  );
  let probe = breaker.enter('when-due');
  await expect
    .poll(() => (probe = 'report' in probe ? probe : breaker.enter('when-due')))
    .toHaveProperty('report');
  if ('report' in probe) probe.report({ kind: 'done', data: undefined, requestId: 'r' });
  await expect.poll(() => findStates('T1')).toEqual([{ state: 'confirmed' }]);
  expect(await findStates('T2')).toEqual([{ state: 'retryable' }]);
});

test('submissions of a project with its own connection go to that service', async () => {
  const requestedProjects: (string | undefined)[] = [];
  const kind = service.kind();
  const { context } = words.createStopped(kind, {
    findApiClient: async (_workspace: string, project?: string) => {
      requestedProjects.push(project);
      return client;
    },
  });
  await submit(context, kind, 'T1');
  expect(new Set(requestedProjects)).toEqual(new Set(['p1']));
});

describe('after another service was connected', () => {
  /** A connection whose service can be changed, and submissions that are attempted only on request. */
  function createMoving(strategy: 'ask' | 'reconcile' | 'repeat', first: string) {
    const connection = { address: first };
    const isElsewhere = async () => connection.address !== first && first !== '';
    const findApiClient = async () =>
      (await isElsewhere()) ? undefined : { ...client, address: connection.address };
    const kind = service.kind(strategy);
    return {
      service,
      kind,
      connection,
      ...words.createStopped(kind, { findApiClient, isElsewhere, random: () => 0 }),
    };
  }
  const actor = { workspace: 'T1', user: 'U1', managesProject: () => true };
  const readOutcome = async () => (await words.readRows()).map(({ state, reason }) => ({ state, reason }));

  test.each(['ask', 'repeat'] as const)(
    'what waits isn’t sent there (%s): its author edits it',
    async (strategy) => {
      const { service, kind, connection, context, submissions } = createMoving(strategy, 'http://first');
      service.scriptCalls(unavailable);
      await submit(context, kind, 'T1');
      connection.address = 'http://second';
      submissions.start();
      words.stopAfterTest(() => submissions.stop());
      await expect.poll(readOutcome).toEqual([{ state: 'blocked', reason: 'other-service' }]);
      expect(service.sentTexts).toEqual(['hello']);
      const [row] = await words.readRows();
      if (!row) return;
      expect(getStateCopy(row)).toMatchObject({ remote: 'absent', buttons: ['retry', 'edit', 'discard'] });
      const retry = () => applyDecision(context, actor, row.id, 'retry');
      expect(await retry()).toMatchObject({
        row: { reason: 'other-service' },
        note: 'I didn’t send it, because another scheduling service is connected now.',
      });
      connection.address = 'http://first';
      expect(await retry()).toMatchObject({ row: { state: 'confirmed' } });
    },
  );

  test.each([
    ['reconcile', 'other-service-uncertain'],
    ['repeat', 'cannot-reconcile'],
  ] as const)('what the first may have isn’t sent again there (%s)', async (strategy, reason) => {
    const { service, kind, connection, context, submissions } = createMoving(strategy, 'http://first');
    service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' }, applied: true });
    await submit(context, kind, 'T1');
    connection.address = 'http://second';
    submissions.start();
    words.stopAfterTest(() => submissions.stop());
    await expect.poll(readOutcome).toEqual([{ state: 'unsure', reason }]);
    const [{ id } = { id: '' }] = await words.readRows();
    const decision = strategy === 'reconcile' ? 'check' : 'send-again';
    const decide = () => applyDecision(context, actor, id, decision);
    expect(await decide()).toMatchObject({ note: expect.stringContaining('another scheduling service') });
    expect(service.sentTexts).toEqual(['hello']);
    connection.address = 'http://first';
    expect(await decide()).toMatchObject({ row: { state: 'confirmed' } });
  });

  test('a submission that was saved without any service goes to the first that is connected', async () => {
    const { service, kind, connection, context, submissions } = createMoving('ask', '');
    service.scriptCalls(unavailable, unavailable);
    await submit(context, kind, 'T1');
    expect(await words.readRows()).toMatchObject([{ endpoint: '' }]);
    connection.address = 'http://first';
    submissions.start();
    words.stopAfterTest(() => submissions.stop());
    await expect.poll(readOutcome).toEqual([{ state: 'confirmed', reason: null }]);
    expect(await words.readRows()).toMatchObject([{ endpoint: computeEndpointKey('http://first') }]);
  });
});

test('a submission is not sent if its kind was switched off', async () => {
  const kind = service.kind('ask');
  const { context, shownTexts, submissions } = words.createStopped(kind, {
    isSwitchedOff: (name) => name === 'word',
  });
  await submit(context, kind, 'T1');
  expect(service.sentTexts).toEqual([]);
  submissions.start();
  words.stopAfterTest(() => submissions.stop());
  await expect.poll(() => shownTexts.join()).toContain('switched this off');
});

test('two instances whose clocks differ by a minute respect each other’s leases', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const kind = service.kind('ask', {
    send: async () => {
      await response;
      return { kind: 'done', data: undefined, requestId: 'r' };
    },
  });
  let clockReads = 0;
  const readFastClock = () => {
    clockReads += 1;
    return Date.now() + 60_000;
  };
  const fastInstance = words.createStopped(kind, {
    clock: createClock({ db: words.db, readLocalTime: readFastClock }),
    pace: { leaseMs: 20_000 },
  });
  const { context } = words.createStopped(kind, { pace: { leaseMs: 20_000 } });
  const submitting = submit(context, kind, 'T1');
  await expect.poll(() => findStates('T1')).toEqual([{ state: 'sending' }]);
  fastInstance.submissions.start();
  words.stopAfterTest(() => fastInstance.submissions.stop());
  const earlierReads = clockReads;
  await expect.poll(() => clockReads).toBeGreaterThan(earlierReads + 20);
  expect(await findStates('T1')).toEqual([{ state: 'sending' }]);
  respond();
  await submitting;
  expect(await findStates('T1')).toEqual([{ state: 'confirmed' }]);
});
