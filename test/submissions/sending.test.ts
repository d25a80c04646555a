import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { addMs } from '../../src/engine/clock.ts';
import {
  findSendingStop,
  resumeSending,
  stopAllSending,
  stopSending,
} from '../../src/engine/sending-stop.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { getStateCopy } from '../../src/submissions/submission.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

const words = setUpWords();
const { service, readRows, readStates, createStopped, createRunning, submit } = words;

const invalid: OutcomeDetails<unknown> = {
  kind: 'invalid',
  problems: [{ field: 'Content', loc: ['body', 'Content'], message: 'is too loud', type: 't' }],
};
const timedOut: OutcomeDetails<never> = { kind: 'unknown', cause: 'timed-out' };

describe('the first attempt', () => {
  test('a submission is stored as `sending` before the call and as `confirmed` after it', async () => {
    const statesDuringCall: string[] = [];
    const kind = service.kind('reconcile', {
      send: async () => {
        statesDuringCall.push(...(await readStates()));
        return { kind: 'done', data: undefined, requestId: 'r' };
      },
    });
    const { context } = createRunning(kind);
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('confirmed');
    expect(statesDuringCall).toEqual(['sending']);
  });

  test('no column contains the text of a submission or anything that could reveal it', async () => {
    service.scriptCalls({ ending: invalid });
    const kind = service.kind();
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('a secret plan'));
    expect(JSON.stringify(await readRows())).not.toMatch(/secret plan|loud/);
    const [row] = await readRows();
    const otherInstance = createStopped(kind, { findApiClient: context.findApiClient });
    const fields = { workspace: 'T1', kind: 'word', project: 'p1' };
    expect([row?.fingerprint]).toEqual(
      await otherInstance.submissions.computeFingerprints(fields, ['a secret plan']),
    );
  });

  test('a form that is submitted twenty times is sent once, with one result, and not again with other words', async () => {
    const kind = service.kind();
    // Long enough for a busy machine: the call must begin in time, and the other requests wait until the lease ends.
    const { context } = createRunning(kind, { pace: { leaseMs: 20_000, maxStartDelayMs: 10_000 } });
    const submission = createWordSubmission('hello');
    const results = await Promise.all(Array.from({ length: 20 }, () => submit(context, kind, submission)));
    results.push(await submit(context, kind, { ...submission, content: { text: 'changed' } }));
    expect(service.sentTexts).toEqual(['hello']);
    expect(new Set(results)).toEqual(new Set(['confirmed']));
  });

  test('if the database does not answer in time, the form is not saved and never sent', async () => {
    const kind = service.kind();
    const { context } = createStopped(kind, { pace: { saveMs: 50 } });
    const unlock = await words.lockSubmissions();
    expect(await submit(context, kind, createWordSubmission('first'))).toBe('not-saved');
    await unlock();
    await expect.poll(readRows).toEqual([]);
    expect(service.sentTexts).toEqual([]);
  });
});

describe('a submission that the service certainly does not have', () => {
  test('the submission of an author who lost the permission is not sent, and waits for the author', async () => {
    const kind = service.kind();
    const { context } = createRunning(kind, { checkPermission: async () => 'no' });
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('blocked');
    expect(service.sentTexts).toEqual([]);
  });

  test('a submission whose processing keeps failing is excluded, and other submissions continue', async () => {
    const kind = service.kind('reconcile', {
      getRole: ({ text }) => {
        if (text === 'bad') throw new TypeError('a fault of ours');
        return 'contributor';
      },
    });
    const { context, logLines } = createRunning(kind, { pace: { leaseMs: 1_000 } });
    await submit(context, kind, createWordSubmission('bad'));
    await expect.poll(() => logLines.filter((line) => line.includes('excluded'))).toHaveLength(1);
    expect(await submit(context, kind, createWordSubmission('good'))).toBe('confirmed');
    const countFailures = () => logLines.filter((line) => line.includes('step of a delivery failed')).length;
    const earlierFailureCount = countFailures();
    await submit(context, kind, createWordSubmission('better'));
    expect(countFailures()).toBe(earlierFailureCount);
    expect(await readStates()).toEqual(['saved', 'confirmed', 'confirmed']);
  });

  test('a submission waits while the permission check fails, and is sent when the check works again', async () => {
    const kind = service.kind();
    let permission: Permission = 'unknown';
    const { context } = createRunning(kind, { checkPermission: async () => permission });
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
    expect((await readRows()).map((row) => getStateCopy(row).sentence)).toEqual([
      'Saved, not sent yet. I couldn’t check whether it may be sent, so I’ll keep trying.',
    ]);
    expect(service.sentTexts).toEqual([]);
    permission = 'yes';
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('after an unknown outcome, a submission is not repeated while the permission check fails', async () => {
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('repeat');
    let canCheck = false;
    const checkPermission = async () => (service.sentTexts.length === 0 || canCheck ? 'yes' : 'unknown');
    const { context } = createRunning(kind, { checkPermission });
    await submit(context, kind, createWordSubmission('hello'));
    await expect
      .poll(async () => (await readRows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['unknown', 'repeat-not-checked']]);
    canCheck = true;
    await expect.poll(readStates).toEqual(['confirmed']);
  });

  test('after a day of failed permission checks, the author reads why the submission was given up', async () => {
    const kind = service.kind();
    const checkPermission = async () => 'unknown' as const;
    await submit(createStopped(kind, { checkPermission }).context, kind, createWordSubmission('hello'));
    await words.endRetries();
    const { shownTexts } = createRunning(kind, { checkPermission });
    await expect.poll(readStates).toEqual(['gave-up']);
    await expect.poll(() => shownTexts.join()).toContain('I couldn’t check for 24 hours');
  });
});

describe('after an unknown outcome', () => {
  test('a failed count of equal posts is repeated', async () => {
    const kind = service.kind('reconcile', {
      send: async () => {
        service.storedTexts.push('hello');
        service.setListOutcome(timedOut);
        return { ...timedOut, requestId: 'r' };
      },
    });
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(async () => (await readRows())[0]?.state).toBe('reconciling');
    service.setListOutcome(undefined);
    await expect.poll(readStates).toEqual(['confirmed']);
  });

  test('the author is asked about a submission that cannot be reconciled, and it is not sent again', async () => {
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('ask');
    const { context } = createRunning(kind);
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('unsure');
    expect((await readRows())[0]?.reason).toBe('cannot-reconcile');
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('a change that is safe to repeat is not sent again if there is a newer change to the same target', async () => {
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('repeat');
    const { context } = createStopped(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await submit(context, kind, createWordSubmission('howdy'));
    createRunning(kind);
    await expect.poll(readStates).toEqual(['unsure', 'confirmed']);
    expect(service.sentTexts).toEqual(['hello', 'howdy']);
  });

  test('a 404 confirms a deletion that was attempted before, and refuses a first attempt', async () => {
    const notFound: OutcomeDetails<never> = { kind: 'refused', status: 404 };
    const unreachable: OutcomeDetails<never> = { kind: 'not-applied', cause: 'connection-refused' };
    const later = [{ ending: unreachable }, { ending: notFound }, { ending: notFound }];
    service.scriptCalls({ ending: timedOut, applied: true }, ...later);
    const kind = service.kind('repeat', { isDoneWhenNotFound: true });
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(await submit(context, kind, createWordSubmission('never there'))).toBe('refused');
  });
});

const findRow = async () => (await words.db.selectFrom('submission').select(['id', 'state']).execute())[0];

test('an instance whose lease has expired does not send a post after its author has pressed a button', async () => {
  const kind = service.kind();
  const resumption = Promise.withResolvers<void>();
  const frozenInstance = words.createStopped(kind, {
    pace: {
      leaseMs: 200,
      maxStartDelayMs: 100,
      onCrashPoint: (point) => (point === 'after-sending' ? resumption.promise : undefined),
    },
  });
  const saveResult = await saveAndSend(frozenInstance.context, kind, [createWordSubmission('hello')]);
  if (typeof saveResult === 'string') throw new Error('the submission was not saved');
  await expect.poll(findRow).toMatchObject({ state: 'sending' });

  const otherInstance = words.createRunning(kind, {
    findApiClient: frozenInstance.context.findApiClient,
  });
  await expect.poll(findRow).toMatchObject({ state: 'unsure' });
  const { id = '' } = (await findRow()) ?? {};
  await applyDecision(
    otherInstance.context,
    { workspace: 'T1', user: 'U1', managesProject: () => false },
    id,
    'send-again',
  );
  expect(service.sentTexts).toEqual(['hello']);

  resumption.resolve();
  await saveResult.attemptedRows;
  expect(service.sentTexts).toEqual(['hello']);
  expect(await findRow()).toMatchObject({ state: 'confirmed' });
});

test('an instance whose lease is too short for the call retries with a new lease', async () => {
  const kind = service.kind();
  let isLate = true;
  const { context } = words.createRunning(kind, {
    pace: {
      maxStartDelayMs: 50,
      onCrashPoint: async (point) => {
        if (point === 'after-sending' && isLate) await delay(100);
        if (point === 'after-sending') isLate = false;
      },
    },
  });
  await saveAndSend(context, kind, [createWordSubmission('hello')]);
  await expect.poll(findRow).toMatchObject({ state: 'confirmed' });
  expect(service.sentTexts).toEqual(['hello']);
});

test('an instance does not send a submission if sending is stopped right before the call', async () => {
  const kind = service.kind();
  const { context } = words.createStopped(kind, {
    pace: {
      onCrashPoint: async (point) => {
        if (point !== 'before-sending' || (await findSendingStop(words.db))) return;
        await stopSending(words.db, { reason: '', since: new Date() });
      },
    },
  });
  await words.submit(context, kind, createWordSubmission('about to go'));
  expect(service.sentTexts).toEqual([]);
  expect(await readRows()).toContainEqual(expect.objectContaining({ state: 'saved' }));
  await resumeSending(words.db, CAPABILITIES, new Date());
});

test('a submission that was claimed before a stop isn’t sent under that claim, even if its statement saw no stop', async () => {
  const { context } = words.createStopped(service.kind());
  const now = context.clock.readShared();
  const id = randomUUID();
  const row = await insertSubmission(words.db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'word', origin: id, item: 0, revision: 0 },
    ...{ channel: null, content: null, project: 'p1', createdAt: now, leaseUntil: addMs(now, 60_000) },
  });
  if (!row) throw new Error('the row was not inserted');
  await stopAllSending(words.db, CAPABILITIES, { reason: '', since: now });
  // Like a statement that began before the stop.
  await words.db.deleteFrom('sending_stop').execute();
  expect(await context.verbs.beginSending(row, 'sending')).toBeUndefined();
});

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
  expect(await submit(context, kind, createWordSubmission('hello', { due }))).toBe('blocked');
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
    .toEqual([['unsure', 'cannot-tell']]);
});
