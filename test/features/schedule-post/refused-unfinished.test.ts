import { type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { ConnectionLost } from '../../../src/store/database-unavailable.ts';
import { startBot as startBotOn } from '../../support/bot.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';

const { ana, database, running, startBot } = setUpBot();

const refuse = invalid({ loc: ['body', 'Content'], msg: 'is too loud' });

async function openForm() {
  await ana.type('/schedule-post');
  return ana.modal('Schedule a post');
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
  const rows = await database.db.selectFrom('submission').select('state').execute();
  return rows.map(({ state }) => state);
}

test('a refused post is offered when its form is closed without a change', async () => {
  await startBot();
  running.service.on('POST /posts', refuse);
  const { form } = await openFilledForm(running);
  expect((await form.submit()).errors).toEqual({ Text: 'is too loud' });
  await form.close();
  const nextForm = await openForm();
  expect(nextForm.text()).toContain('You have an unsaved post from');
  expect(nextForm.text()).toContain('We open at nine');
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
  const { form } = await openFilledForm(running);
  const { view } = await form.submit();
  await view?.close();
  running.service.on('POST /posts', refuse);
  const directMessages = await ana.inDirectMessage();
  await directMessages.sees('Fix and send again');
  await directMessages.press('Fix and send again');
  const editor = await ana.modal('Schedule a post');
  const countUpdates = () =>
    running.workspace.app.calls('chat.update').filter(({ outcome }) => outcome === 'answered').length;
  const updateCount = countUpdates();
  running.workspace.faults.set({ webApi: [{ method: 'chat.update', fault: 'slow', delayMs: 2_000 }] });
  expect((await editor.submit()).errors).toEqual({ Text: 'is too loud' });
  await editor.fill('Text', 'We open');
  await expect.poll(countUpdates).toBeGreaterThan(updateCount);
  await editor.close();
  const nextForm = await openForm();
  expect(nextForm.text()).toContain('You have an unsaved post from');
  expect(nextForm.text()).toContain('We open\n[Continue]');
});

test('a post that is refused after its form was closed is only in the message that says so', async () => {
  await startBot({ pace: { acknowledgementTimeoutMs: 500 } });
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  running.service.on('POST /posts', async (call, response) => {
    await closed;
    return refuse(call, response);
  });
  const { form } = await openFilledForm(running);
  await ana.sees('Tue 1 Dec, 09:00');
  const { view } = await form.submit();
  expect(view?.title()).toBe('Sending…');
  await view?.close();
  end();
  await (await ana.inDirectMessage()).sees('[Fix and send again]');
  // What was typed is removed after the message.
  await expect.poll(listTypedTimes).not.toContain('1 Dec 9am');
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('a change that is stored while its form is being sent is removed with the form’s other values', async () => {
  await startBot({ pace: { acknowledgementTimeoutMs: 500 } });
  running.service.on('POST /posts', refuse);
  const { form } = await openFilledForm(running);
  await form.submit();
  // It may come after the acknowledgement, and a list shows what is known when it is opened.
  await expect.poll(listStates).toEqual(['refused']);
  await form.close();
  await ana.type('/upnext outbox');
  await ana.press('Fix and send again');
  const editor = await ana.modal('Schedule a post');
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
