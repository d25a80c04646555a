import { createServer } from 'node:http';
import type { App } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import { formatReport } from '../../../src/emulators/slack/recording/report.ts';
import { findFreePort } from '../../support/listening-port.ts';
import { startTestWorkspace } from '../../support/workspace.ts';
import { type BoltFixture, startWithBolt } from '../../support/workspace-bolt.ts';

const createPlainText = (text: string) => ({ type: 'plain_text' as const, text });

/** How the app acts. The recording is made with the defaults. */
interface Behaviour {
  greeting: string;
  reacts: boolean;
  logs: boolean;
  rejects: boolean;
}

const form = {
  type: 'modal' as const,
  callback_id: 'order',
  title: createPlainText('Order'),
  submit: createPlainText('Send'),
  blocks: [
    {
      type: 'input' as const,
      label: createPlainText('Drink'),
      element: { type: 'plain_text_input' as const },
    },
    {
      type: 'input' as const,
      label: createPlainText('Menu'),
      optional: true,
      element: { type: 'file_input' as const, action_id: 'menu' },
    },
  ],
};

function registerHandlers(app: App, behaviour: Behaviour): void {
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({
      trigger_id: body.trigger_id,
      view: { ...form, private_metadata: `${crypto.randomUUID()} at ${new Date().toISOString()}` },
    });
  });
  app.view('order', async ({ ack, view, body, client }) => {
    const [fields] = Object.values(view.state.values);
    const drink = Object.values(fields ?? {})[0]?.value ?? '';
    if (behaviour.rejects) {
      const [blockId = ''] = Object.keys(view.state.values);
      return ack({ response_action: 'errors', errors: { [blockId]: 'We have no coffee' } });
    }
    await ack();
    const { channel, ts } = await client.chat.postMessage({
      channel: 'C02HARBOUR',
      text: `${behaviour.greeting} <@${body.user.id}>, here is your ${drink}`,
      blocks: [{ type: 'actions', elements: [{ type: 'button', text: createPlainText('Thanks') }] }],
    });
    if (behaviour.reacts && channel && ts)
      await client.reactions.add({ channel, timestamp: ts, name: 'coffee' });
    if (behaviour.logs) await client.chat.postMessage({ channel: 'C02HARBOUR', text: 'An order came in' });
  });
  app.action({ type: 'block_actions' }, async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'You are welcome', replace_original: false });
  });
}

let fixtures: BoltFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.stop()));
  fixtures = [];
});

async function startApp(change: Partial<Behaviour> = {}) {
  const fixture = await startWithBolt('socket', undefined, { fileProcessingMs: 0 });
  fixtures.push(fixture);
  registerHandlers(fixture.app, { greeting: 'Hello', reacts: true, logs: false, rejects: false, ...change });
  return fixture.workspace;
}

/** Orders a coffee in a form, with a file, and presses the button of the message that comes. */
async function recordOrder(): Promise<string> {
  const workspace = await startApp();
  const lines: string[] = [];
  const ana = workspace.as('Ana').in('#harbour-coffee');
  await ana.type('Before the recording');
  const stop = workspace.record((line) => lines.push(line));
  await ana.type('/form');
  const order = await ana.modal('Order');
  await order.fill('Drink', 'coffee');
  await order.attach('Menu', [{ name: 'menu.txt', bytes: Buffer.from('Coffee') }]);
  await order.submit();
  await ana.sees('[Thanks]');
  await ana.sees(':coffee: 1');
  await ana.press('Thanks');
  await ana.sees('You are welcome');
  stop();
  return lines.join('\n');
}

test('a recording has the actions of people, the requests to the app and its calls, and no token', async () => {
  const lines = (await recordOrder()).split('\n').map((line) => JSON.parse(line));
  const actions = lines.filter(({ type }) => type === 'action').map(({ request }) => request.act);
  expect(actions).toEqual(['command', 'upload', 'submit', 'press']);
  const summaries = lines
    .filter(({ type }) => type === 'to-app' || type === 'from-app')
    .map(({ type, action, label }) => `${action} ${type} ${label}`)
    .toSorted();
  expect(summaries).toEqual([
    '1 from-app views.open',
    '1 to-app /form',
    '3 from-app chat.postMessage',
    '3 from-app reactions.add',
    '3 to-app order',
    expect.stringMatching(/^4 from-app response_url$/),
    expect.stringMatching(/^4 to-app \w+$/),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/xox[bp]-\w|xapp-\w/);
});

describe('a replay', () => {
  test('a replay of the same app has no differences, although all ids and times are new', async () => {
    const recording = await recordOrder();
    const workspace = await startApp();
    const report = await workspace.replay(recording, { patienceMs: 1_000 });
    expect(formatReport(report)).toBe('4 actions, 7 requests and calls as recorded. Nothing differs.');
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('Before the recording');
    await ana.sees('You are welcome');
  });

  test('changed, missing and new calls are reported after the action that they belong to', async () => {
    const recording = await recordOrder();
    const workspace = await startApp({ greeting: 'Bye', reacts: false, logs: true });
    const report = await workspace.replay(recording, { patienceMs: 1_000 });
    const after = '3. ana: submits a form';
    expect(report.differences).toEqual(
      expect.arrayContaining([
        { after, change: 'missing', label: 'reactions.add', details: [] },
        { after, change: 'extra', label: 'chat.postMessage', details: [] },
        {
          after,
          change: 'changed',
          label: 'chat.postMessage',
          details: [
            'text: "Hello <@U01ANAFERR>, here is your coffee" is now "Bye <@U01ANAFERR>, here is your coffee"',
          ],
        },
      ]),
    );
    expect(report.differences).toHaveLength(3);
  });

  test('a changed acknowledgement is reported, and the actions that it makes impossible', async () => {
    const recording = await recordOrder();
    const workspace = await startApp({ rejects: true });
    const text = formatReport(await workspace.replay(recording, { patienceMs: 1_000 }));
    expect(text).toContain('3. ana: submits a form: order is changed');
    expect(text).toContain('"We have no coffee"');
    expect(text).toMatch(
      /4\. ana: presses \w+: the action is different\n {2}is refused with element_not_found now/,
    );
  });

  test('a text that is no recording is refused', async () => {
    const workspace = await startApp();
    await expect(workspace.replay('{"type":"action"}')).rejects.toThrow('invalid_recording');
  });
});

test('over HTTP, a workspace waits until the app listens', async () => {
  const port = await findFreePort();
  const { workspace } = await startTestWorkspace({
    delivery: { kind: 'http', url: `http://127.0.0.1:${port}/slack/events` },
  });
  const connected = workspace.waitForApp();
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await connected;
  expect(server.listening).toBe(true);
  server.close();
  await workspace.close();
});
