import { App } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import { startWorkspace } from '../src/slack.ts';
import type { Workspace } from '../src/workspace.ts';
import { createButtonRow, createHeader, createModal } from './support/blocks.ts';
import { createControlClient } from './support/control-client.ts';
import { closeAfterwards, expectError, openWorkspace } from './support/fixtures.ts';
import { createSlackClient, SILENT, TEST_MANIFEST } from './support/workspace.ts';

/** A second app with a command, a shortcut and a Home tab of its own. */
const OTHER_MANIFEST = {
  display_information: { name: 'Helper' },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
    bot_user: { display_name: 'helper' },
    slash_commands: [{ command: '/help-me', description: 'Helps' }],
    shortcuts: [{ name: 'Ask', type: 'global', callback_id: 'ask', description: 'Asks' }],
  },
  oauth_config: {
    scopes: { bot: ['chat:write', 'commands', 'channels:history', 'users:read', 'app_mentions:read'] },
  },
  settings: { event_subscriptions: { bot_events: ['message.channels', 'app_mention', 'app_home_opened'] } },
};
const MANIFEST = {
  ...TEST_MANIFEST,
  settings: { event_subscriptions: { bot_events: ['message.channels', 'app_mention'] } },
};

let workspace: Workspace;
/** `tester: message Hello`, newest last. */
let heard: string[];

/** Registers what both apps do, each under its name. */
function registerHandlers(app: App, name: string): void {
  app.message(async ({ message }) => {
    if (message.subtype === undefined) heard.push(`${name}: message ${message.text}`);
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const view = {
      type: 'home' as const,
      blocks: [createHeader(`Home of ${name}`)],
    };
    await client.views.publish({ user_id: event.user, view });
  });
  app.command(/.+/, async ({ ack, command, client }) => {
    heard.push(`${name}: command ${command.command}`);
    await ack();
    await client.views.open({
      trigger_id: command.trigger_id,
      view: createModal(`Form of ${name}`, [createButtonRow('press', 'Press')], { callback_id: 'form' }),
    });
  });
  app.shortcut(/.+/, async ({ ack, shortcut }) => {
    heard.push(`${name}: shortcut ${shortcut.callback_id}`);
    await ack();
  });
  app.view('form', async ({ ack, client }) => {
    heard.push(`${name}: form`);
    await ack();
    await client.chat.postMessage({
      channel: 'C01GENERAL',
      text: `${name} got it`,
      blocks: [createButtonRow('press', `Press ${name}`)],
    });
  });
  app.action('press', async ({ ack }) => {
    heard.push(`${name}: press`);
    await ack();
  });
}

beforeEach(async () => {
  heard = [];
  ({ workspace } = await openWorkspace({ manifest: MANIFEST, otherApps: [{ manifest: OTHER_MANIFEST }] }));
  for (const [index, { boltOptions }] of [workspace, ...workspace.otherApps].entries()) {
    const app = new App({ ...boltOptions, logger: SILENT });
    registerHandlers(app, index === 0 ? 'tester' : 'helper');
    await app.start();
    closeAfterwards(() => app.stop());
  }
});

const inGeneral = () => workspace.as('Ana').in('#general');
const createClient = ({ botToken = '' }: { botToken?: string } = {}) =>
  createSlackClient(workspace, botToken);
const helperClient = () => createClient(workspace.otherApps[0]);

test('a message goes to each app that is in the channel', async () => {
  await inGeneral().type('Only one hears this');
  await inGeneral().type('/invite @helper');
  await inGeneral().type('Both hear this');
  await expect.poll(() => heard).toHaveLength(3);
  expect(heard.toSorted()).toEqual([
    'helper: message Both hear this',
    'tester: message Both hear this',
    'tester: message Only one hears this',
  ]);
});

test('commands, shortcuts, forms and buttons go to the app that they belong to', async () => {
  await inGeneral().type('/invite @helper');
  for (const [command, name] of [
    ['/form', 'tester'],
    ['/help-me', 'helper'],
  ] as const) {
    await inGeneral().type(command);
    const form = await inGeneral().modal(`Form of ${name}`);
    await form.press('Press');
    await form.submit();
    await inGeneral().sees(`[Press ${name}]`);
    await inGeneral().press(`Press ${name}`);
    expect(heard.filter((line) => !line.includes('message'))).toEqual([
      `${name}: command ${command}`,
      `${name}: press`,
      `${name}: form`,
      `${name}: press`,
    ]);
    heard = [];
  }
  await inGeneral().shortcut('Ask');
  expect(heard).toEqual(['helper: shortcut ask']);
});

test('each app has a token, a user, scopes and a Home tab of its own', async () => {
  const helper = await helperClient().auth.test();
  const tester = await createClient(workspace).auth.test();
  expect(helper).toMatchObject({ user: 'helper', team_id: tester.team_id });
  expect(helper.user_id).not.toBe(tester.user_id);
  const response = await fetch(`${workspace.apiUrl}auth.test`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${workspace.otherApps[0]?.botToken}` },
  });
  expect(response.headers.get('x-oauth-scopes')).toBe(OTHER_MANIFEST.oauth_config.scopes.bot.join(','));
  await expectError(helperClient().pins.list({ channel: 'C01GENERAL' }), 'missing_scope');
  expect((await inGeneral().home('Home of helper', { app: 'Helper' })).text()).toContain('Home of helper');
  const message = { channel: 'C01GENERAL', text: 'Mine' };
  const { ts = '' } = await createClient(workspace).chat.postMessage(message);
  await inGeneral().type('/invite @helper');
  const change = helperClient().chat.update({ channel: 'C01GENERAL', ts, text: 'Taken' });
  await expectError(change, 'cant_update_message');
});

test('each app has its own part of the traffic, also after a reset', async () => {
  await inGeneral().type('/help-me');
  await inGeneral().modal('Form of helper');
  const [helper] = workspace.otherApps;
  expect(helper?.app.requests('slash_commands').map(({ name }) => name)).toEqual(['/help-me']);
  expect(workspace.app.requests('slash_commands')).toEqual([]);
  workspace.reset();
  await inGeneral().type('/help-me');
  await inGeneral().modal('Form of helper');
});

test('the control API connects, opens and reads each app by its name', async () => {
  const control = await createControlClient(workspace.controlUrl);
  const [helper] = workspace.otherApps;
  expect((await control.call('getWorkspace')).other_apps).toMatchObject([
    { name: 'Helper', bot_token: helper?.botToken, app_token: helper?.appToken },
  ]);
  await control.call('waitForConnection', {}, { app: 'Helper' });
  await control.call('open', { person: 'Ana' }, { tab: 'home', app: 'Helper' });
  await control.call('wait', { person: 'Ana' }, { text: 'Home of helper' });
  const { payload } = await control.call('waitForCall', {}, { app: 'Helper', method: 'views.publish' });
  expect(payload).toHaveProperty('user_id', 'U01ANAFERR');
  expect((await control.call('listCalls', { app: 'Tester', method: 'views.publish' })).calls).toEqual([]);
  expect((await control.fail('listRequests', { app: 'Nobody' })).error.code).toBe('unknown_app');
});

test('the same app can’t be there twice', async () => {
  await expect(startWorkspace({ manifest: MANIFEST, otherApps: [{ manifest: MANIFEST }] })).rejects.toThrow(
    'Two apps are called Tester',
  );
});
