import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { applyDecision } from '../../src/submissions/press.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

const words = setUpWords();
const { service } = words;

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
  await expect.poll(findRow).toMatchObject({ state: 'needs-person' });
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
