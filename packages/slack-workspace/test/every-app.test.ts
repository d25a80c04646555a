import { App, Assistant } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import type { OtherApp, Workspace } from '../src/workspace.ts';
import { ASSISTANT_MANIFEST } from './support/assistant.ts';
import { type ControlClient, createControlClient } from './support/control-client.ts';
import { closeAfterwards, openWorkspace } from './support/fixtures.ts';
import { SILENT } from './support/workspace.ts';

/** What further apps have like the first one: assistants, steps, shortcuts, faults and so on. */

/** The same features under another name. */
const OTHER_MANIFEST = {
  ...ASSISTANT_MANIFEST,
  display_information: { name: 'Helper' },
  features: { ...ASSISTANT_MANIFEST.features, app_home: {}, bot_user: { display_name: 'helper' } },
  settings: {
    event_subscriptions: {
      bot_events: [...ASSISTANT_MANIFEST.settings.event_subscriptions.bot_events, 'call_rejected'],
    },
  },
};

let workspace: Workspace;
let helper: OtherApp;
let control: ControlClient;
let apps: App[];
let heard: string[];

async function startApp(name: string, { boltOptions }: Pick<OtherApp, 'boltOptions'>): Promise<void> {
  const app = new App({ ...boltOptions, logger: SILENT });
  app.shortcut(/.+/, async ({ ack, shortcut }) => {
    heard.push(`${name}: ${shortcut.callback_id}`);
    await ack();
  });
  app.command('/say', ({ ack }) => ack(`${name} says`));
  app.event('app_mention', async ({ say }) => void (await say(`${name} was mentioned`)));
  app.function('approve', async ({ complete }) => {
    await complete({ outputs: { approved: true, note: name } });
  });
  app.assistant(
    new Assistant({
      threadStarted: async ({ say, setSuggestedPrompts }) => {
        await say(`${name} greets you`);
        await setSuggestedPrompts({ prompts: [{ title: `Ask ${name}`, message: 'Please' }] });
      },
      userMessage: async ({ say, setStatus }) => {
        await setStatus('is thinking…');
        await say(`${name} answers`);
      },
    }),
  );
  await app.start();
  closeAfterwards(() => app.stop());
  apps.push(app);
}

beforeEach(async () => {
  heard = [];
  apps = [];
  const otherApps = [{ manifest: OTHER_MANIFEST }];
  ({ workspace } = await openWorkspace({ manifest: ASSISTANT_MANIFEST, otherApps }));
  const [other] = workspace.otherApps;
  if (!other) throw new Error('There is no further app');
  helper = other;
  control = await createControlClient(workspace.controlUrl);
  await startApp('tester', workspace);
  await startApp('helper', helper);
});

const ana = () => workspace.as('Ana').in('#general');

test('a person chats with each app that is an assistant', async () => {
  for (const [name, choice] of [
    ['tester', {}],
    ['helper', { app: 'Helper' }],
  ] as const) {
    const chat = ana().startChat(choice);
    await chat.sees(`${name} greets you`);
    await chat.pick(`Ask ${name}`);
    await chat.sees(`${name} answers`);
  }
  await control.call('open', { person: 'Ben' }, { tab: 'new_chat', app: 'Helper' });
  await control.call('wait', { person: 'Ben' }, { text: 'helper greets you' });
  await control.call('press', { person: 'Ben' }, { button: 'Ask helper' });
  await control.call('wait', { person: 'Ben' }, { text: 'helper answers' });
});

test('a person runs steps and shortcuts of each app, also if they have the same names', async () => {
  const inputs = { approver: 'Ben', text: 'We open at nine' };
  expect(await ana().runStep('Approve', inputs).outputs()).toMatchObject({ note: 'tester' });
  expect(await ana().runStep('Approve', inputs, { app: 'Helper' }).outputs()).toMatchObject({
    note: 'helper',
  });
  await ana().shortcut('New thing');
  await ana().shortcut('New thing', undefined, { app: 'Helper' });
  const { id } = await control.call(
    'runStep',
    { person: 'Ana' },
    { title: 'Approve', inputs, app: 'Helper' },
  );
  const { outputs } = await control.call('waitForStep', { person: 'Ana' }, { id });
  expect(outputs).toEqual({ approved: true, note: 'helper' });
  await control.call('shortcut', { person: 'Ana' }, { name: 'New thing', app: 'Helper' });
  expect(heard).toEqual(['tester: new_thing', 'helper: new_thing', 'helper: new_thing']);
  const failure = await control.fail('shortcut', { person: 'Ana' }, { name: 'New thing', app: 'Nobody' });
  expect(failure.error.code).toBe('unknown_app');
});

test('of two apps with the same command, the one that was installed later is asked', async () => {
  await ana().type('/say');
  await ana().sees('helper says');
  workspace.admin.uninstall({ app: 'Helper' });
  await ana().type('/say');
  await ana().sees('tester says');
});

test('a person mentions, invites and writes to each app', async () => {
  await ana().inviteApp({ app: 'Helper' });
  await ana().mention('hello', { app: 'Helper' });
  await ana().sees('helper was mentioned');
  await control.call('open', { person: 'Ben' }, { channel: '#general' });
  await control.call('mention', { person: 'Ben' }, { text: 'hello', app: 'Helper' });
  await control.call('open', { person: 'Ben' }, { tab: 'messages', app: 'Helper' });
  expect((await control.call('read', { person: 'Ben' })).place).toBe('@helper');
  const { other_apps: others } = await control.call('getWorkspace');
  const { channel } = await ana().inDirectMessage({ app: 'Helper' });
  expect(channel.members).toContain(others[0].bot_user_id);
});

test('Slack fails for one app only', async () => {
  helper.faults.set({ webApi: [{ fault: 'error', error: 'fatal_error' }] });
  const [tester, other] = apps;
  await expect(other?.client.auth.test()).rejects.toThrow('fatal_error');
  expect((await tester?.client.auth.test())?.ok).toBe(true);
  expect((await control.call('getFaults', { app: 'Helper' })).faults).toEqual({ 'error fatal_error': 1 });
  await control.call('clearFaults', { app: 'Helper' });
  expect((await other?.client.auth.test())?.ok).toBe(true);
  await control.call('setFaults', {}, { webApi: [{ fault: 'error', error: 'fatal_error' }] });
  await expect(tester?.client.auth.test()).rejects.toThrow('fatal_error');
  expect((await other?.client.auth.test())?.ok).toBe(true);
});

test('the gaps of each manifest are listed', () => {
  expect(helper.manifestGaps).toEqual([{ kind: 'event', name: 'call_rejected', reason: 'unsupported' }]);
  expect(workspace.manifestGaps).toEqual([]);
});

test('an app whose manifest enables no Home tab has none, and gets events about the Messages tab only', async () => {
  await expect(ana().home('Hello', { app: 'Helper' })).rejects.toThrow(
    'The manifest of Helper has no home_tab_enabled: true',
  );
  const failure = await control.fail('open', { person: 'Ana' }, { tab: 'home', app: 'Helper' });
  expect(failure.error.code).toBe('no_home_tab');
});
