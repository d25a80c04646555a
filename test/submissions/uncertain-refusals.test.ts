import { describe, expect, test } from 'vitest';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { readSubmissionRemote } from '../../src/submissions/submission.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { renderSubmission } from '../../src/submissions/text/render-submission.ts';
import { renderStateMessage } from '../../src/submissions/text/state-blocks.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

/** Refusals that don't tell whether the service has a submission, because another send may have arrived. */

const { service, readRows, readStates, createRunning, createStopped, submit } = setUpWords();

const ana = { workspace: 'T1', user: 'U1', managesProject: () => false };
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
  const options = { now: new Date() };
  return JSON.stringify(renderStateMessage(renderSubmission(context, await readOnly(), options)));
}

/** Sends a word that may have arrived, and waits until its author is asked. */
async function setUpQuestion(kind: SubmissionKind<Word>) {
  const { context } = createRunning(kind, { pace: { reconcileDelaysMs: [10, 10] } });
  await submit(context, kind, createWordSubmission('hello'));
  await expect.poll(readStates).toEqual(['needs-person']);
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
    const { context, id } = await setUpQuestion(service.kind());
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
      const { context, id } = await setUpQuestion(service.kind());
      service.setListOutcome(refused(status));
      await applyDecision(context, ana, id, 'send-again');
      expect(await readOnly()).toMatchObject({ state: 'needs-person', reason: 'cannot-tell' });
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
    const { context, id } = await setUpQuestion(service.kind());
    service.setListOutcome({ kind: 'refused', status: 402 });
    await applyDecision(context, ana, id, 'send-again');
    expect(await readMessage(context)).toContain('asks for a payment first');
  });

  test('names the reason why [Check] found nothing, with the service’s text escaped', async () => {
    service.scriptCalls({ ending: timedOut });
    const { context, id } = await setUpQuestion(service.kind());
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
    const { context } = await setUpQuestion(service.kind('repeat'));
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
    expect((await readOnly()).state).toBe(strategy === 'ask' ? 'needs-person' : 'unknown');
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
  const { context } = createRunning(kind, { pace: { giveUpMs: 200 } });
  expect(await submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  const waiting = await readMessage(context);
  expect(waiting).toContain(`Saved, not sent yet. The scheduling service ${reason}.`);
  expect(waiting).toContain('• Renew <!here> first.');
  await expect.poll(readStates).toEqual(['gave-up']);
  const ended = await readMessage(context);
  expect(ended).toContain(`Not sent. The scheduling service ${reason}.`);
  expect(ended).toContain('• Renew <!here> first.');
  expect(service.sentTexts).toEqual([]);
});
