import { describe, expect, test } from 'vitest';
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
const unavailable = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };
const findStates = async (workspace: string) =>
  words.db.selectFrom('submission').select('state').where('workspace', '=', workspace).execute();

async function submit(context: SubmissionContext, kind: SubmissionKind<Word>, workspace: string) {
  await words.submit(context, kind, { ...createWordSubmission('hello'), workspace });
}

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
    const findApiClient = async () => ({ ...client, address: connection.address });
    const kind = service.kind(strategy);
    return { service, kind, connection, ...words.createStopped(kind, { findApiClient, random: () => 0 }) };
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
      await expect.poll(readOutcome).toEqual([{ state: 'needs-person', reason: 'other-service' }]);
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
    await expect.poll(readOutcome).toEqual([{ state: 'needs-person', reason }]);
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
    expect(await words.readRows()).toMatchObject([
      { endpoint: await context.computeEndpointKey('http://first') },
    ]);
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
