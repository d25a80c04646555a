import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerForm } from '../../src/submissions/answer-form.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createFormCall } from '../support/pressed-form.ts';
import { createTestMachine, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterAll(() => database.close());

const renderFormAgain = (): ModalView => ({
  type: 'modal',
  title: { type: 'plain_text', text: 'The form again' },
  blocks: [],
});

/** Submits a form and returns what its author sees. `ack` and `view` say which responses reach Slack. */
async function submitForm(
  texts: readonly string[],
  options: {
    service?: ReturnType<typeof wordService>;
    isSlow?: boolean;
    ackArrives?: boolean;
    viewArrives?: boolean;
  } = {},
) {
  const { service = wordService(), isSlow = false, ackArrives = true, viewArrives = true } = options;
  const shown: string[] = [];
  const plainKind = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      if (isSlow) await expect.poll(() => shown).not.toEqual([]);
      return plainKind.send(api, content);
    },
  });
  const { submissions } = createTestMachine(database.db, kind, { pace: isSlow ? { answerMs: 20 } : {} });
  const call = createFormCall(
    submissions,
    (line) => shown.push(line),
    () => !viewArrives,
  );
  await answerForm({ ...call, answer: async (answer) => ackArrives && call.answer(answer) }, kind, {
    formId: randomUUID(),
    contents: texts.map((text) => ({ text })),
    form: { getFieldErrors: () => ({ field: 'is too loud' }), renderForm: renderFormAgain },
  });
  return shown;
}

describe('showing the outcome', () => {
  test('the outcome is shown in the acknowledgement', async () => {
    expect(await submitForm(['hello'])).toEqual(['ack Done']);
  });

  test('the outcome is shown in the view, if Slack refuses the acknowledgement', async () => {
    expect(await submitForm(['hello'], { ackArrives: false })).toEqual(['view Done']);
  });

  test('the outcome is sent in a direct message, if neither acknowledgement nor view reaches the author', async () => {
    expect(await submitForm(['hello'], { ackArrives: false, viewArrives: false })).toEqual([
      'message hello is kept. The word hello. “hello”',
    ]);
  });

  test('the outcome is shown in the view, if the service was too slow for the acknowledgement', async () => {
    expect(await submitForm(['hello'], { isSlow: true })).toEqual(['ack Sending…', 'view Done']);
  });

  test('an outcome that the author has seen is not sent as a notification as well', async () => {
    await submitForm(['hello'], { isSlow: true });
    const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
    expect(rows).toEqual([{ notify_at: null, notified_at: expect.any(Date) }]);
  });
});

describe('showing a refusal', () => {
  const createRefusingService = () => {
    const service = wordService();
    service.next({ ending: { kind: 'invalid', problems: [] } });
    return service;
  };

  test('a refusal is shown under the fields of the open form', async () => {
    expect(await submitForm(['hello'], { service: createRefusingService() })).toEqual(['ack errors']);
  });

  test('a refusal that comes after the acknowledgement opens the form again', async () => {
    const service = createRefusingService();
    expect(await submitForm(['hello'], { service, isSlow: true })).toEqual([
      'ack Sending…',
      'view The form again',
    ]);
  });

  test('the refusal of one of several moments is shown together with the outcomes of the others', async () => {
    expect(await submitForm(['one', 'two'], { service: createRefusingService() })).toEqual(['ack Not sent']);
    const states = await database.db.selectFrom('submission').select('state').execute();
    expect(states.map(({ state }) => state).sort()).toEqual(['confirmed', 'refused']);
  });
});

test('while the circuit breaker is open, a form is answered at once', async () => {
  const service = wordService();
  const kind = service.kind();
  const { submissions, machine } = createTestMachine(database.db, kind, {
    pace: { breaker: { failures: 1, firstMs: 60_000, maxMs: 60_000 } },
  });
  const api = await machine.apiFor('T1');
  const entered = api && machine.getBreaker({ workspace: 'T1', address: api.address }, 'reads').enter();
  if (entered && 'report' in entered) {
    entered.report({ kind: 'unknown', cause: 'timed-out', requestId: 'r' });
  }
  const shown: string[] = [];
  await answerForm(
    createFormCall(submissions, (line) => shown.push(line)),
    kind,
    {
      formId: 'f',
      contents: [{ text: 'hello' }],
      form: { getFieldErrors: () => undefined, renderForm: renderFormAgain },
    },
  );
  expect(shown).toEqual(['ack Waiting']);
  expect(service.sent).toEqual([]);
});

test('a submission after one that timed out is saved and sent', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind, { pace: { saveMs: 50 } });
  const { promise: transactionEnd, resolve: endTransaction } = Promise.withResolvers<void>();
  const blockingTransaction = database.db.transaction().execute(() => transactionEnd);
  const submission = wordSubmission('hello');
  expect(await saveAndSend(machine, kind, [submission])).toBe('not-saved');
  const patientMachine = { ...machine, pace: { ...machine.pace, saveMs: 5_000 } };
  const submitting = saveAndSend(patientMachine, kind, [submission]);
  endTransaction();
  await blockingTransaction;
  const saveResult = await submitting;
  expect(
    typeof saveResult === 'string' ? saveResult : (await saveResult.finalRows).map(({ state }) => state),
  ).toEqual(['confirmed']);
  const rows = await database.db.selectFrom('submission').select('state').execute();
  expect(rows).toEqual([{ state: 'confirmed' }]);
});

test('if the author closes the view of a repeated submission, only the first submission notifies them', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const service = wordService();
  const plainKind = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      await response;
      return plainKind.send(api, content);
    },
  });
  const { submissions, machine } = createTestMachine(database.db, kind, {
    pace: { answerMs: 20, notifyMs: 60_000 },
  });
  const formId = randomUUID();
  const first = await saveAndSend(machine, kind, [{ ...wordSubmission('hello'), origin: formId }]);
  const shown: string[] = [];
  const second = answerForm(
    createFormCall(
      submissions,
      (line) => shown.push(line),
      () => true,
    ),
    kind,
    {
      formId,
      contents: [{ text: 'hello' }],
      form: { getFieldErrors: () => undefined, renderForm: renderFormAgain },
    },
  );
  await expect.poll(() => shown).toEqual(['ack Sending…']);
  respond();
  if (typeof first !== 'string') await first.finalRows;
  await second;
  const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
  expect(rows).toEqual([{ notify_at: expect.any(Date), notified_at: null }]);
});
