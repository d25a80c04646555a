import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerForm } from '../../src/submissions/answer-form.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { formCall } from '../support/pressed-form.ts';
import { sentBy, testMachine, wordService } from '../support/sent-words.ts';

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

/** What the author of a form sees when only the given answers reach them. */
async function told(
  texts: readonly string[],
  options: {
    service?: ReturnType<typeof wordService>;
    slow?: boolean;
    ack?: boolean;
    view?: boolean;
  } = {},
) {
  const { service = wordService(), slow = false, ack = true, view = true } = options;
  const said: string[] = [];
  const usual = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      if (slow) await expect.poll(() => said).not.toEqual([]);
      return usual.send(api, content);
    },
  });
  const { submissions } = testMachine(database.db, kind, { pace: slow ? { answerMs: 20 } : {} });
  const call = formCall(
    submissions,
    (line) => said.push(line),
    () => !view,
  );
  await answerForm({ ...call, answer: async (answer) => ack && call.answer(answer) }, kind, {
    formId: randomUUID(),
    contents: texts.map((text) => ({ text })),
    form: { getFieldErrors: () => ({ field: 'is too loud' }), renderForm: again },
  });
  return said;
}

describe('the outcome is shown', () => {
  test('in the acknowledgement', async () => {
    expect(await told(['hello'])).toEqual(['ack Done']);
  });

  test('in the view, if Slack refuses the acknowledgement', async () => {
    expect(await told(['hello'], { ack: false })).toEqual(['view Done']);
  });

  test('in a direct message, if neither reaches the author', async () => {
    expect(await told(['hello'], { ack: false, view: false })).toEqual([
      'message hello is kept. The word hello. “hello”',
    ]);
  });

  test('in the view, if the service was too slow for the acknowledgement', async () => {
    expect(await told(['hello'], { slow: true })).toEqual(['ack Sending…', 'view Done']);
  });

  test('once: no notification is left to send', async () => {
    await told(['hello'], { slow: true });
    const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
    expect(rows).toEqual([{ notify_at: null, notified_at: expect.any(Date) }]);
  });
});

describe('a refusal', () => {
  const refusing = () => {
    const service = wordService();
    service.next({ ending: { kind: 'invalid', problems: [] } });
    return service;
  };

  test('is shown under the fields of the open form', async () => {
    expect(await told(['hello'], { service: refusing() })).toEqual(['ack errors']);
  });

  test('brings the form back if it comes after the acknowledgement', async () => {
    const service = refusing();
    expect(await told(['hello'], { service, slow: true })).toEqual(['ack Sending…', 'view The form again']);
  });

  test('of one of several moments is shown together with the others', async () => {
    expect(await told(['one', 'two'], { service: refusing() })).toEqual(['ack Not sent']);
    const states = await database.db.selectFrom('submission').select('state').execute();
    expect(states.map(({ state }) => state).sort()).toEqual(['confirmed', 'refused']);
  });
});

test('while the circuit breaker is open, a form is answered at once', async () => {
  const service = wordService();
  const kind = service.kind();
  const { submissions, machine } = testMachine(database.db, kind, {
    pace: { breaker: { failures: 1, firstMs: 60_000, maxMs: 60_000 } },
  });
  const api = await machine.apiFor('T1');
  const entered = api && machine.getBreaker({ workspace: 'T1', address: api.address }, 'reads').enter();
  if (entered && 'report' in entered) {
    entered.report({ kind: 'unknown', cause: 'timed-out', requestId: 'r' });
  }
  const said: string[] = [];
  await answerForm(
    formCall(submissions, (line) => said.push(line)),
    kind,
    {
      formId: 'f',
      contents: [{ text: 'hello' }],
      form: { getFieldErrors: () => undefined, renderForm: again },
    },
  );
  expect(said).toEqual(['ack Waiting']);
  expect(service.sent).toEqual([]);
});

test('a submission after one that timed out is saved and sent', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine } = testMachine(database.db, kind, { pace: { saveMs: 50 } });
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  const holding = database.db.transaction().execute(() => busy);
  const one = sentBy('hello');
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
  const { submissions, machine } = testMachine(database.db, kind, {
    pace: { answerMs: 20, notifyMs: 60_000 },
  });
  const formId = randomUUID();
  const first = await saveAndSend(machine, kind, [{ ...sentBy('hello'), origin: formId }]);
  const said: string[] = [];
  const second = answerForm(
    formCall(
      submissions,
      (line) => said.push(line),
      () => true,
    ),
    kind,
    { formId, contents: [{ text: 'hello' }], form: { getFieldErrors: () => undefined, renderForm: again } },
  );
  await expect.poll(() => said).toEqual(['ack Sending…']);
  answer();
  if (typeof first !== 'string') await first.finalRows;
  await second;
  const rows = await database.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
  expect(rows).toEqual([{ notify_at: expect.any(Date), notified_at: null }]);
});
