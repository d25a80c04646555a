import { type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ConnectionLost } from '../../../src/store/database-unavailable.ts';
import { startBot as startBotOn } from '../../support/bot.ts';
import {
  openFilledForm,
  openShownForm,
  showMedia,
  submitAndClose,
  submitFilledForm,
} from '../../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json, later, type ScriptedService } from '../../support/scripted-service.ts';
import { FAST_RETRIES, failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot({});

test('every invalid field has an error at once, and nothing is sent', async () => {
  const ana = running.workspace.as('Ana');
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: ' \u200b \n', When: 'when the cows come home', Platforms: ['X'] });
  await showMedia(ana, form);
  const { errors, trouble } = await submitWith(form, { Media: ' Java\u200bScript:alert(1)' });
  expect(trouble).toBeUndefined();
  expect(Object.keys(errors).sort()).toEqual(['Media', 'Text', 'When']);
  expect(running.service.created()).toEqual([]);
  expect(form.value('When')).toBe('when the cows come home');
});

test('an error is shown unchanged under the field that the service names, and a corrected post is sent', async () => {
  running.service.on(
    'POST /posts',
    invalid(
      { loc: ['body', 'Content'], msg: 'is too loud <!here>' },
      { loc: ['body', 'Platforms', 0], msg: 'is closed' },
    ),
  );
  const { form } = await openFilledForm(running);
  expect((await form.submit()).errors).toEqual({ Text: 'is too loud <!here>', Platforms: 'is closed' });
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await submitWith(form, { Text: 'we open at nine' })).closed).toBe(true);
  expect(running.service.created().map(({ Content }) => Content)).toEqual([
    'We open at nine',
    'we open at nine',
  ]);
  // The refused version doesn't wait for its author.
  await ask(ana, '/upnext outbox', 'Nothing pending.');
});

test('an error for which the service names no field is shown at the top, and every value stays', async () => {
  running.service.on(
    'POST /posts',
    invalid(
      { loc: ['body', 'Mood'], msg: 'is missing <!channel>' },
      { loc: ['body', 'post'], msg: 'is odd' },
      { loc: ['body', 'Content'], msg: 'is too loud' },
    ),
  );
  const { view } = await submitFilledForm(running);
  expect(view?.title()).toBe('Schedule a post');
  expectParts(view?.text(), 'Mood: is missing <!channel>', '• is odd', 'is too loud');
  expect(view?.value('Text')).toBe('We open at nine');
  expect(view?.value('When')).toBe('1 Dec 9am');
});

test('after a response with the status 404, the form stays open with an explanation', async () => {
  running.service.on('POST /posts', json(404, {}));
  const { form, view } = await submitFilledForm(running);
  expect(view?.text()).toContain('doesn’t know this project');
  expect(view?.value('Text')).toBe('We open at nine');
  // The outbox has the post too.
  expect(view?.text()).not.toContain('nothing was saved');
  await ask(ana, '/upnext outbox', '[Fix]');
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created()).toHaveLength(2);
});

describe('refusals with a reason', () => {
  const REASON = 'Renew <!here> first.';

  test.each([
    ['the status 402', json(402, { detail: { reason: REASON } }), 'asks for a payment first'],
    ['the status 409', json(409, { message: REASON }), 'conflicts with something'],
    ['the status 400', json(400, REASON), 'didn’t accept this'],
    ['success: false', json(200, { success: false, data: null, message: REASON }), 'didn’t accept this'],
    ['errors in a 200', json(200, { errors: [{ detail: REASON }] }), 'didn’t accept this'],
    ['a text in a 422', json(422, REASON), 'didn’t accept this'],
    ['a detail object in a 422', json(422, { detail: { reason: REASON } }), 'didn’t accept this'],
  ])(
    'after %s, the form stays open with the service’s reason, and nothing is sent again',
    async (_, answer, text) => {
      await startBot({ pace: FAST_RETRIES });
      running.service.on('POST /posts', answer);
      const { view } = await submitFilledForm(running);
      expect(view?.title()).toBe('Schedule a post');
      expect(view?.text()).toContain(text);
      expect(view?.text()).toContain(`• ${REASON}`);
      expect(view?.text()).not.toContain('One field');
      const rows = await database.db
        .selectFrom('submission')
        .select(['state', 'next_at', 'maybe_sent'])
        .execute();
      expect(rows).toEqual([{ state: 'refused', next_at: null, maybe_sent: false }]);
      expect(running.service.created()).toHaveLength(1);
    },
  );

  test.each([
    ['a conflict with an equal post', json(409, { detail: 'This post already exists.' })],
    ['success: false with a post', json(200, { success: false, data: { Id: 'made' } })],
  ])('after %s, Upnext looks for the post, and doesn’t send it again', async (_, answer) => {
    await startBot({ pace: { scanIntervalMs: 50, reconcileDelaysMs: [50] } });
    running.service.on('POST /posts', (call, response) => {
      running.service.on('GET /posts', data([call.body]));
      return answer(call, response);
    });
    const { ana, form } = await openFilledForm(running);
    expect((await form.submit()).view?.text()).not.toContain('didn’t answer');
    await ana.sees('Scheduled ·');
    expect(running.service.created()).toHaveLength(1);
  });

  test.each([
    [['body', 'post', 'Content']],
    [['body', 'content']],
    [['BODY', 'CONTENT']],
    [['body', 'post', 'schedule_date'], 'When'],
    [['body', 'PostCreate', 'Platforms', 0], 'Platforms'],
    ['/body/Content'],
    ['#/Content'],
    ['body.Content'],
  ])('an error at %j is shown under its field', async (loc, label = 'Text') => {
    running.service.on('POST /posts', json(422, { detail: [{ loc, msg: 'is odd', type: '' }] }));
    const { form } = await openFilledForm(running);
    expect((await form.submit()).errors).toEqual({ [label]: 'is odd' });
  });
});

const pace = { ...FAST_RETRIES, probeIntervalMs: 400 };

test.each([
  [401, 'refuses my access'],
  [403, 'refuses my access'],
  [429, 'I’ll keep retrying'],
])(
  'after a response with the status %d, a post waits, and is sent as soon as the service accepts it',
  async (status, expected) => {
    await startBot({ pace });
    running.service.on('POST /posts', json(status, {}));
    const { ana, view } = await submitFilledForm(running);
    expect(view?.title()).toBe('Waiting');
    expectParts(view?.text(), expected, 'We open at nine', '[Edit]', '[Cancel post]');
    expect(view?.text()).not.toContain('Post for Harbour Coffee');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.sees('Scheduled ·');
    expect(running.service.created().length).toBeGreaterThan(1);
  },
);

test('a service that is down is reported before Slack gives up, and the post is saved', async () => {
  await startBot({ pace });
  const { ana, form } = await openFilledForm(running, { text: 'Ünïcode 🧑‍🔧 & <b>' });
  await running.service.stop();
  const { view, trouble } = await form.submit();
  expect(trouble).toBeUndefined();
  expectParts(view?.text(), 'Saved, not sent yet.', 'Ünïcode 🧑‍🔧 & <b>');
  await ask(ana, '/upnext outbox', 'Outbox', '⏳ Waiting · Tue 1 Dec, 09:00 (Lisbon)');
});

test('a post that cannot be saved in the database is reported and not sent', async () => {
  const { form } = await openFilledForm(running);
  await database.db.schema.alterTable('submission').renameTo('hidden').execute();
  try {
    const { view } = await form.submit();
    expect(view?.text()).toContain('Not saved.');
    expect(view?.value('Text')).toBe('We open at nine');
    expect(running.service.created()).toEqual([]);
  } finally {
    await database.db.schema.alterTable('hidden').renameTo('submission').execute();
  }
});

test('a text that is too long doesn’t block other fields, and is reported on submit', async () => {
  const { ana, form } = await openFilledForm(running, { text: '🎉'.repeat(1_600) });
  await ana.sees('Tue 1 Dec, 09:00 (Lisbon)');
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
  expect((await form.submit()).errors.Text).toContain('3000');
  expect(form.value('Text')).toBe('🎉'.repeat(1_600));
});

describe('a post that was refused after its form had been closed', () => {
  async function submitRefusedPost() {
    await startBot({ pace: { acknowledgementTimeoutMs: 150 } });
    running.service.on('POST /posts', later(400, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
    const { ana } = await submitAndClose(running);
    await ana.inDirectMessage();
    await ana.sees('Not sent.');
    running.service.on('POST /posts', data({ Id: 'made' }));
    return ana;
  }

  test('after a refused post was corrected and sent, the button to correct it shows the sent post instead', async () => {
    const ana = await submitRefusedPost();
    const firstForm = await pressForForm(ana, 'Fix', 'Schedule a post');
    expect(firstForm.value('Text')).toBe('We open at nine');
    await firstForm.fill('Text', 'we open at nine');
    // The message keeps its button.
    failSlack(running, { fault: 'error', error: 'internal_error', method: 'chat.update' });
    await firstForm.submit();
    await expect.poll(() => running.service.created()).toHaveLength(2);
    await expect.poll(() => running.workspace.faults.counts().calls['chat.update']).toBeGreaterThan(0);
    running.workspace.faults.set({});
    await pressAndSee(ana, 'Fix', 'Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
    expect(running.service.created()).toHaveLength(2);
  });
});

/** The first call to the service fails. A later call, made in the background, is refused. */
const refusal = invalid(
  { loc: ['body', 'Content'], msg: 'is too loud' },
  { loc: ['body', 'Mood'], msg: 'is missing' },
);

type Handler = Parameters<ScriptedService['on']>[1];

/** Creates a handler that uses `firstHandler` for the first call and `laterHandler` for all later calls. */
function createHandlerSequence(firstHandler: Handler, laterHandler: Handler): Handler {
  let callCount = 0;
  return (call, response) => (callCount++ === 0 ? firstHandler : laterHandler)(call, response);
}

/** Opens a filled form. The service limits the rate of the first request, and refuses all later requests. */
async function openFormForRefusal(changes: { when?: string } = {}) {
  await startBot({ pace: FAST_RETRIES });
  running.service.on('POST /posts', createHandlerSequence(json(429, {}), refusal));
  return openFilledForm(running, changes);
}

test('if the service refused all publishing times of a form, the form opens again with all of them', async () => {
  const { ana, form } = await openFormForRefusal({ when: 'mon, wed and fri 9am' });
  await form.submit();
  const reopenedForm = await ana.modal('Schedule a post');
  expect(['Text', 'When'].map((label) => reopenedForm.value(label))).toEqual([
    'We open at nine',
    'mon, wed and fri 9am',
  ]);
  await ana.sees('⚠️ is too loud');
});

const refuse = invalid({ loc: ['body', 'Content'], msg: 'is too loud' });

async function openForm() {
  return askForForm(ana, '/schedule-post', 'Schedule a post');
}

/** Lists the times that the stored forms have, as they were typed. */
async function listTypedTimes(): Promise<unknown[]> {
  const { encryption } = running.bot.submissions.context;
  const rows = await database.db.selectFrom('open_form').selectAll().execute();
  return rows.map(({ content, workspace }) => {
    const stored = JSON.parse(encryption.decrypt(content, workspace));
    return stored.typed?.prefill.when;
  });
}

async function listStates(): Promise<string[]> {
  return (await database.db.selectFrom('submission').select('state').execute()).map(({ state }) => state);
}

test('a refused post is offered when its form is closed without a change', async () => {
  running.service.on('POST /posts', refuse);
  const { form } = await openFilledForm(running);
  expect((await form.submit()).errors).toEqual({ Text: 'is too loud' });
  await form.close();
  expectParts((await openForm()).text(), 'You have an unsaved post from', 'We open at nine');
});

/** Creates a database plugin that loses the answer of the next statement that stores a post. */
function createLossOfSave(): { plugin: KyselyPlugin; countLosses(): number } {
  const compiler = new PostgresQueryCompiler();
  const saves = new WeakSet<object>();
  let lossCount = 0;
  return {
    countLosses: () => lossCount,
    plugin: {
      transformQuery({ node, queryId }) {
        if (compiler.compileQuery(node, queryId).sql.includes('with stored as')) saves.add(queryId);
        return node;
      },
      async transformResult({ queryId, result }) {
        if (!saves.has(queryId) || lossCount > 0) return result;
        lossCount += 1;
        throw new ConnectionLost(new Error('the answer was lost'));
      },
    },
  };
}

test('a refused post is offered although the answer of the statement that stored it was lost', async () => {
  const loss = createLossOfSave();
  const bot = await startBotOn({ db: database.db.withPlugin(loss.plugin) });
  try {
    bot.service.on('POST /posts', refuse);
    const { ana: person, form } = await openFilledForm(bot, { text: 'We close at nine' });
    expect((await form.submit()).errors).toEqual({ Text: 'is too loud' });
    expect(loss.countLosses()).toBe(1);
    await form.close();
    await person.type('/schedule-post');
    expect((await person.modal('Schedule a post')).text()).toContain('We close at nine');
  } finally {
    await bot.close();
  }
});

test('what is typed while a message still shows the refusal is what is offered', async () => {
  await startBot({ pace: FAST_RETRIES, followsClock: true, startTime: new Date('2026-11-20T12:00:00Z') });
  running.service.on('POST /posts', json(429, {}));
  await submitAndClose(running);
  running.service.on('POST /posts', refuse);
  const directMessages = await ana.inDirectMessage();
  await directMessages.sees('Fix');
  await directMessages.press('Fix');
  const editor = await ana.modal('Schedule a post');
  const countUpdates = () =>
    running.workspace.app.calls('chat.update').filter(({ outcome }) => outcome === 'answered').length;
  const updateCount = countUpdates();
  running.workspace.faults.set({ webApi: [{ method: 'chat.update', fault: 'slow', delayMs: 2_000 }] });
  expect((await editor.submit()).errors).toEqual({ Text: 'is too loud' });
  await editor.fill('Text', 'We open');
  await expect.poll(countUpdates).toBeGreaterThan(updateCount);
  await editor.close();
  expectParts((await openForm()).text(), 'You have an unsaved post from', 'We open\n[Continue]');
});

test('a post that is refused after its form was closed is only in the message that says so', async () => {
  await startBot({ pace: { acknowledgementTimeoutMs: 500 } });
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  running.service.on('POST /posts', async (call, response) => {
    await closed;
    return refuse(call, response);
  });
  const { form } = await openShownForm(running);
  const { view } = await form.submit();
  expect(view?.title()).toBe('Sending…');
  await view?.close();
  end();
  await (await ana.inDirectMessage()).sees('[Fix]');
  // What was typed is removed after the message.
  await expect.poll(listTypedTimes).not.toContain('1 Dec 9am');
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('a change that is stored while its form is being sent is removed with the form’s other values', async () => {
  await startBot({ pace: { acknowledgementTimeoutMs: 500 } });
  running.service.on('POST /posts', refuse);
  const { form } = await submitFilledForm(running);
  // It may come after the acknowledgement, and a list shows what is known when it is opened.
  await expect.poll(listStates).toEqual(['refused']);
  await form.close();
  const editor = await askForForm(ana, '/upnext outbox', 'Schedule a post', 'Fix');
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  running.service.on('POST /posts', async (call, answer) => {
    await response;
    return data({ Id: 'made' })(call, answer);
  });
  running.workspace.faults.set({
    deliveries: [{ kind: 'block_actions', fault: 'delayed', afterMs: 1_000, times: 1 }],
  });
  const change = editor.fill('When', '1 Dec 10am').catch(() => undefined);
  expect((await editor.submit()).view?.title()).toBe('Sending…');
  await change;
  await expect.poll(listTypedTimes).toContain('1 Dec 10am');
  respond();
  await expect.poll(listTypedTimes).not.toContain('1 Dec 10am');
});
