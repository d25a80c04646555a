import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ActionCall } from '../../src/handlers/call.ts';
import { showFormSubmissions } from '../../src/handlers/show-submission.ts';
import type { Message } from '../../src/slack/message.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { createFormCall } from '../support/form-call.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

const words = setUpWords();

test('the status of a form waits for the press that is sending it, however late its own press is handled', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const plainKind = words.service.kind();
  const kind = words.service.kind('reconcile', {
    async send(api, content) {
      await response;
      return plainKind.send(api, content);
    },
  });
  const { submissions, context } = words.createStopped(kind);
  const form = randomUUID();
  const sending = await saveAndSend(context, kind, [{ ...createWordSubmission('hello'), origin: form }]);
  const shown: string[] = [];
  const call = {
    ...createFormCall(submissions, () => undefined),
    receivedAt: performance.now() - context.pace.acknowledgementTimeoutMs,
    acknowledge: async () => {
      shown.push('acknowledged');
      respond();
    },
    reply: async ({ text }: Message) => void shown.push(text),
  } as unknown as ActionCall;
  const showing = showFormSubmissions(call, form);
  await showing;
  respond();
  if (typeof sending !== 'string') await sending.attemptedRows;
  expect(shown).toEqual(['acknowledged', expect.stringContaining('hello is saved.')]);
});
