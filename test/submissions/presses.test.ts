import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision, findPressedRow } from '../../src/submissions/press.ts';
import { createRows, saveNextRevision } from '../../src/submissions/save.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { readSubmissionRemote } from '../../src/submissions/submission.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { renderSubmission } from '../../src/submissions/text/render-submission.ts';
import { renderStateMessage } from '../../src/submissions/text/state-blocks.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

const words = setUpWords();

const { createRunning, createStopped, readRows, readStates, service, submit } = words;
const ana = { workspace: 'T1', user: 'U1', managesProject: () => false };

function startSubmissions(kind: SubmissionKind<Word>) {
  const permission: { current: Permission } = { current: 'yes' };
  const checkPermission = async () => permission.current;
  const instance = words.createRunning(kind, {
    pace: { reconcileDelaysMs: [10, 10] },
    checkPermission,
  });
  return { ...instance, permission };
}

/** Sends the post "hello" with an unknown outcome, and waits until its author is asked. */
async function setUpQuestion() {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' }, applied: false });
  const kind = service.kind();
  const instance = startSubmissions(kind);
  await words.submit(instance.context, kind, createWordSubmission('hello'));
  await expect.poll(readStates).toEqual(['unsure']);
  const [row] = await readRows();
  return { ...instance, service, kind, id: row?.id ?? '' };
}

describe('a question to the author', () => {
  test('[Retry now] from before changes nothing, nor does any button that can’t be checked, or after [Discard]', async () => {
    const { context, service, id, permission } = await setUpQuestion();
    const changedSince = { note: 'This has changed since.' };
    expect(await applyDecision(context, ana, id, 'retry')).toMatchObject(changedSince);
    permission.current = 'unknown';
    expect(await applyDecision(context, ana, id, 'send-again')).toEqual({ kind: 'not-checked' });
    expect(await readStates()).toEqual(['unsure']);
    permission.current = 'yes';
    await applyDecision(context, ana, id, 'discard');
    expect(await readStates()).toEqual(['discarded']);
    expect(await applyDecision(context, ana, id, 'send-again')).toMatchObject(changedSince);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('a post is not sent again if it reached the service while the service could not be checked', async () => {
    const { context, service, id } = await setUpQuestion();
    service.setListOutcome({ kind: 'not-applied', cause: 'connection-refused' });
    await applyDecision(context, ana, id, 'send-again');
    expect(await readStates()).toEqual(['retryable']);
    // The service may still apply the first request, so the post can't be edited.
    expect(await findPressedRow(context, ana, id, 'edit')).toMatchObject({ hasButton: false });
    service.storedTexts.push('hello');
    service.setListOutcome(undefined);
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('only the author or a manager of the project can decide about a post, and nobody in another workspace can', async () => {
    const { context, id } = await setUpQuestion();
    const otherActors = [
      { ...ana, user: 'U2' },
      { ...ana, workspace: 'T2' },
      { ...ana, workspace: 'T2', managesProject: () => true },
    ];
    for (const actor of otherActors)
      expect(await applyDecision(context, actor, id, 'discard')).toEqual({ kind: 'not-visible' });
    expect(await readStates()).toEqual(['unsure']);
    await applyDecision(context, { ...ana, user: 'U2', managesProject: () => true }, id, 'discard');
    expect(await readStates()).toEqual(['discarded']);
  });
});

describe('a post that certainly was not sent', () => {
  test.each(['reconcile', 'repeat'] as const)(
    'an edit that comes after the send isn’t saved, and its author reads its text (%s)',
    async (strategy) => {
      const kind = service.kind(strategy);
      const { context } = startSubmissions(kind);
      await words.submit(context, kind, createWordSubmission('hello'));
      const [row] = await readRows();
      const edit = (text: string) =>
        saveAndSend(context, kind, [createWordSubmission(text, { origin: row?.id ?? '' })]);
      // The words with the same first letter have the same target.
      expect(await edit('hey')).toMatchObject({ unsavedTexts: ['hey'] });
      expect(await edit('hello')).toMatchObject({ unsavedTexts: [] });
      expect(service.sentTexts).toEqual(['hello']);
    },
  );

  test('an edit that comes while the post begins to be sent shows the post as it is then', async () => {
    service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
    const kind = service.kind();
    const { context } = createStopped(kind);
    await words.submit(context, kind, createWordSubmission('hello'));
    const edits = [createWordSubmission('changed', { origin: (await readOnly()).id })];
    const [edit] = await createRows(context, kind, edits);
    if (!edit) throw new Error('there is no row');
    // The retry begins right after the edit has read the post.
    const db = words.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some(({ state }) => state === 'retryable'))
          await words.db.updateTable('submission').set({ state: 'sending' }).execute();
        return result;
      },
    });
    expect(await saveNextRevision(db, edit, new Date())).toMatchObject({
      ...{ row: { state: 'sending' }, isInserted: false, isOtherContent: true },
    });
  });
});

const timedOut: OutcomeDetails<never> = { kind: 'unknown', cause: 'timed-out' };

const problems = [{ field: undefined, loc: [], message: 'Renew <!here> first.', type: '' }];

const refused = (status: number): OutcomeDetails<never> => ({ kind: 'refused', status, problems });

async function readOnly() {
  const [row] = await readRows();
  if (!row) throw new Error('there is no submission');
  return row;
}

/** Reads the message about the only submission. */
async function readMessage(context: SubmissionContext): Promise<string> {
  return JSON.stringify(renderStateMessage(renderSubmission(context, await readOnly())));
}

/** Sends a word that may have arrived, and waits until its author is asked. */
async function setUpUncertain(kind: SubmissionKind<Word>) {
  const { context } = createRunning(kind, { pace: { reconcileDelaysMs: [10, 10] } });
  await submit(context, kind, createWordSubmission('hello'));
  await expect.poll(readStates).toEqual(['unsure']);
  return { context, id: (await readOnly()).id };
}

describe('a submission that may have arrived', () => {
  test.each<OutcomeDetails<never>>([
    refused(200),
    refused(400),
    refused(402),
    refused(404),
    refused(409),
    refused(413),
    { kind: 'invalid', problems },
  ])('isn’t called refused after a refusal of a later send: %j', async (refusal) => {
    service.scriptCalls({ ending: timedOut }, { ending: refusal });
    const { context, id } = await setUpUncertain(service.kind());
    await applyDecision(context, ana, id, 'send-again');
    expect((await readOnly()).state).toBe('unknown');
    await expect.poll(async () => (await readOnly()).reason).toBe('not-found');
    expect(readSubmissionRemote(await readOnly())).toBe('unknown');
    expect(service.sentTexts).toEqual(['hello', 'hello']);
    const text = await readMessage(context);
    expect(text).toContain('It may still turn up');
    expect(text).toContain('• Renew <!here> first.');
    expect(text).not.toContain('Fix and send again');
  });

  test.each([200, 400, 402, 404, 409])(
    'still waits for its author after the list was refused with the status %d',
    async (status) => {
      service.scriptCalls({ ending: timedOut });
      const { context, id } = await setUpUncertain(service.kind());
      service.setListOutcome(refused(status));
      await applyDecision(context, ana, id, 'send-again');
      expect(await readOnly()).toMatchObject({ state: 'unsure', reason: 'cannot-tell' });
      expect(service.sentTexts).toEqual(['hello']);
      expect(await readMessage(context)).toContain('• Renew <!here> first.');
      // A later check that finds the post has nothing to say about the refusal.
      service.setListOutcome(undefined);
      service.storedTexts.push('hello');
      await applyDecision(context, ana, id, 'check');
      expect(await readOnly()).toMatchObject({ state: 'confirmed', refusal: null });
    },
  );

  test('has the status of a refusal without a reason in its message', async () => {
    service.scriptCalls({ ending: timedOut });
    const { context, id } = await setUpUncertain(service.kind());
    service.setListOutcome({ kind: 'refused', status: 402 });
    await applyDecision(context, ana, id, 'send-again');
    expect(await readMessage(context)).toContain('asks for a payment first');
  });

  test('names the reason why [Check] found nothing, with the service’s text escaped', async () => {
    service.scriptCalls({ ending: timedOut });
    const { context, id } = await setUpUncertain(service.kind());
    service.setListOutcome(refused(402));
    expect(await applyDecision(context, ana, id, 'check')).toMatchObject({
      note: expect.stringMatching(/payment first\.\n• Renew &lt;!here&gt; first\.$/),
    });
    service.setListOutcome(timedOut);
    expect(await applyDecision(context, ana, id, 'check')).toMatchObject({
      note: expect.stringMatching(/isn’t answering\.$/),
    });
  });

  test('a change that may be repeated isn’t repeated after a refusal, and isn’t called refused', async () => {
    service.scriptCalls({ ending: timedOut }, { ending: refused(409) });
    const { context } = await setUpUncertain(service.kind('repeat'));
    expect(await readOnly()).toMatchObject({ reason: 'cannot-reconcile' });
    expect(service.sentTexts).toEqual(['hello', 'hello']);
    expect(await readMessage(context)).toContain('• Renew <!here> first.');
  });
});

test.each(['reconcile', 'repeat', 'ask'] as const)(
  'the author reads the reason of a conflict that may be with the new record (%s)',
  async (strategy) => {
    const conflict = { kind: 'unknown', cause: 'unexpected-status', status: 409, problems } as const;
    service.scriptCalls({ ending: conflict });
    const kind = service.kind(strategy);
    const { context } = createStopped(kind);
    await submit(context, kind, createWordSubmission('hello'));
    expect((await readOnly()).state).toBe(strategy === 'ask' ? 'unsure' : 'unknown');
    expect(await readMessage(context)).toContain('• Renew <!here> first.');
  },
);

test.each([
  [200, 'hasn’t sent me its posts'],
  [402, 'asks for a payment first'],
  [404, 'hasn’t sent me its posts'],
])('a new post waits with the reason why its list was refused: %d', async (status, reason) => {
  service.setListOutcome(refused(status));
  const kind = service.kind();
  const { context } = createStopped(kind);
  expect(await submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  const waiting = await readMessage(context);
  expect(waiting).toContain(`Saved, not sent yet. The scheduling service ${reason}.`);
  expect(waiting).toContain('• Renew <!here> first.');
  await words.endRetries();
  createRunning(kind);
  await expect.poll(readStates).toEqual(['gave-up']);
  const ended = await readMessage(context);
  expect(ended).toContain(`Not sent. The scheduling service ${reason}.`);
  expect(ended).toContain('• Renew <!here> first.');
  expect(service.sentTexts).toEqual([]);
});
