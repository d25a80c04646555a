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

const again = (): ModalView => ({
  type: 'modal',
  title: { type: 'plain_text', text: 'The form again' },
  blocks: [],
});

/** Submits a form, and returns what its author sees if only the given answers arrive. */
async function submitForm(
  texts: readonly string[],
  options: {
    service?: ReturnType<typeof wordService>;
    slow?: boolean;
    ack?: boolean;
    view?: boolean;
  } = {},
) {
  const { service = wordService(), slow = false, ack = true, view = true } = options;
  const shown: string[] = [];
  const usual = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      if (slow) await expect.poll(() => shown).not.toEqual([]);
      return usual.send(api, content);
    },
  });
  const { submissions } = createTestMachine(database.db, kind, { pace: slow ? { answerMs: 20 } : {} });
  const call = createFormCall(
    submissions,
    (line) => shown.push(line),
    () => !view,
  );
  await answerForm({ ...call, answer: async (answer) => ack && call.answer(answer) }, kind, {
    formId: randomUUID(),
    contents: texts.map((text) => ({ text })),
    form: { getFieldErrors: () => ({ field: 'is too loud' }), renderForm: again },
  });
  return shown;
}

describe('the outcome is shown', () => {
  test('in the acknowledgement', async () => {
    expect(await submitForm(['hello'])).toEqual(['ack Done']);
  });

  test('in the view, if Slack refuses the acknowledgement', async () => {
    expect(await submitForm(['hello'], { ack: false })).toEqual(['view Done']);
  });

  test('in a direct message, if neither reaches the author', async () => {
    expect(await submitForm(['hello'], { ack: false, view: false })).toEqual([
      'message hello is kept. The word hello. “hello”',
    ]);
  });

  test('in the view, if the service was too slow for the acknowledgement', async () => {
    expect(await submitForm(['hello'], { slow: true })).toEqual(['ack Sending…', 'view Done']);
  });

  test('once: no notification is left to send', async () => {
    await submitForm(['hello'], { slow: true });
    const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
    expect(rows).toEqual([{ notify_at: null, notified_at: expect.any(Date) }]);
  });
});

describe('a refusal', () => {
  const createRefusingService = () => {
    const service = wordService();
    service.next({ ending: { kind: 'invalid', problems: [] } });
    return service;
  };

  test('is shown under the fields of the open form', async () => {
    expect(await submitForm(['hello'], { service: createRefusingService() })).toEqual(['ack errors']);
  });

  test('brings the form back if it comes after the acknowledgement', async () => {
    const service = createRefusingService();
    expect(await submitForm(['hello'], { service, slow: true })).toEqual([
      'ack Sending…',
      'view The form again',
    ]);
  });

  test('of one of several moments is shown together with the others', async () => {
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
      form: { getFieldErrors: () => undefined, renderForm: again },
    },
  );
  expect(shown).toEqual(['ack Waiting']);
  expect(service.sent).toEqual([]);
});

test('a submission after one that timed out is saved and sent', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind, { pace: { saveMs: 50 } });
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  const holding = database.db.transaction().execute(() => busy);
  const one = wordSubmission('hello');
  expect(await saveAndSend(machine, kind, [one])).toBe('not-saved');
  const patient = { ...machine, pace: { ...machine.pace, saveMs: 5_000 } };
  const pressing = saveAndSend(patient, kind, [one]);
  free();
  await holding;
  const on = await pressing;
  expect(typeof on === 'string' ? on : (await on.finalRows).map(({ state }) => state)).toEqual(['confirmed']);
  const rows = await database.db.selectFrom('submission').select('state').execute();
  expect(rows).toEqual([{ state: 'confirmed' }]);
});

test('if the view of a repeated submission is closed, only the first one notifies the author', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const service = wordService();
  const usual = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      await answered;
      return usual.send(api, content);
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
    { formId, contents: [{ text: 'hello' }], form: { getFieldErrors: () => undefined, renderForm: again } },
  );
  await expect.poll(() => shown).toEqual(['ack Sending…']);
  answer();
  if (typeof first !== 'string') await first.finalRows;
  await second;
  const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
  expect(rows).toEqual([{ notify_at: expect.any(Date), notified_at: null }]);
});
