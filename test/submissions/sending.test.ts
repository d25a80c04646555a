import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import { getStateCopy } from '../../src/submissions/submission.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

const words = setUpWords();
const { service, readRows, readStates, createStopped, createRunning, submit } = words;

const invalid: OutcomeDetails<unknown> = {
  kind: 'invalid',
  problems: [{ field: 'Content', loc: ['body', 'Content'], message: 'is too loud', type: 't' }],
};
const timedOut: OutcomeDetails<never> = { kind: 'unknown', cause: 'timed-out' };
const refusedConnection: OutcomeDetails<never> = { kind: 'not-applied', cause: 'connection-refused' };

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

  test('a form that is submitted twenty times is sent once, and all submissions get the same result', async () => {
    const kind = service.kind();
    // Long enough for a busy machine, because the other requests wait until the lease ends.
    const { context } = createRunning(kind, { pace: { leaseMs: 20_000 } });
    const submission = createWordSubmission('hello');
    const results = await Promise.all(Array.from({ length: 20 }, () => submit(context, kind, submission)));
    expect(service.sentTexts).toEqual(['hello']);
    expect(new Set(results)).toEqual(new Set(['confirmed']));
  });

  test('after a refusal the same form sends a new revision, and the refused revision is discarded', async () => {
    service.scriptCalls({ ending: invalid });
    const kind = service.kind();
    const { context } = createRunning(kind);
    const submission = createWordSubmission('too loud');
    expect(await submit(context, kind, submission)).toBe('refused');
    expect(await submit(context, kind, { ...submission, content: { text: 'quiet' } })).toBe('confirmed');
    expect(service.sentTexts).toEqual(['too loud', 'quiet']);
    expect((await readRows()).map(({ revision, state, reason }) => [revision, state, reason])).toEqual([
      [0, 'discarded', 'replaced'],
      [1, 'confirmed', null],
    ]);
  });

  test('submitting a confirmed form again sends nothing, whatever was typed in the meantime', async () => {
    const kind = service.kind();
    const { context } = createRunning(kind);
    const submission = createWordSubmission('first');
    await submit(context, kind, submission);
    expect(await submit(context, kind, { ...submission, content: { text: 'changed' } })).toBe('confirmed');
    expect(service.sentTexts).toEqual(['first']);
  });

  test('if the database does not answer in time, the form is not saved and never sent', async () => {
    const kind = service.kind();
    const { context } = createStopped(kind, { pace: { saveMs: 50 } });
    const { promise: transactionEnd, resolve: endTransaction } = Promise.withResolvers<void>();
    const blockingTransaction = words.db.transaction().execute(() => transactionEnd);
    expect(await submit(context, kind, createWordSubmission('first'))).toBe('not-saved');
    endTransaction();
    await blockingTransaction;
    await expect.poll(readRows).toEqual([]);
    expect(service.sentTexts).toEqual([]);
  });
});

describe('a submission that the service certainly does not have', () => {
  test('a submission that keeps failing is given up, its author is notified, and its text stays stored', async () => {
    const kind = service.kind('reconcile', {
      send: async () => ({ ...refusedConnection, requestId: 'r' }),
    });
    const { context, shownTexts } = createRunning(kind, { pace: { giveUpMs: 200 } });
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(readStates).toEqual(['gave-up']);
    expect((await readRows())[0]?.content).not.toBeNull();
    await expect.poll(() => shownTexts.join()).toContain('I couldn’t reach the service for 24 hours');
  });

  test('an overdue post is never sent', async () => {
    service.scriptCalls({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 300 } });
    const kind = service.kind();
    const { context, shownTexts } = createRunning(kind);
    const due = new Date(Date.now() + 200).toISOString();
    expect(await submit(context, kind, createWordSubmission('hello', { due }))).toBe('retryable');
    await expect
      .poll(async () => (await readRows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['needs-person', 'overdue']]);
    expect(service.sentTexts).toEqual(['hello']);
    await expect.poll(() => shownTexts.join()).toContain('Its time has passed');
  });

  test('the submission of an author who lost the permission is not sent, and waits for the author', async () => {
    const kind = service.kind();
    const { context } = createRunning(kind, { checkPermission: async () => 'no' });
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('needs-person');
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
    const { context, shownTexts } = createRunning(kind, {
      checkPermission: async () => 'unknown',
      pace: { giveUpMs: 200 },
    });
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(readStates).toEqual(['gave-up']);
    await expect.poll(() => shownTexts.join()).toContain('I couldn’t check for 24 hours');
  });
});
