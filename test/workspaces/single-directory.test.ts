import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { saveUninstalledWorkspaces } from '../../src/workspaces/sql/uninstalled-workspaces.ts';
import { createSingleTokenDirectory } from '../../src/workspaces/workspaces.ts';
import { type Running, startBot } from '../support/bot.ts';
import { COMMAND, sendSigned } from '../support/send-signed.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask, pressForForm } from '../support/steps.ts';

const database = await setUpBotDatabase();
let startedBot: Running;

beforeAll(async () => {
  startedBot = await startBot({ db: database.db, mode: 'http' });
});
afterAll(async () => {
  await startedBot.close();
});

test('a workspace with a recorded uninstallation counts as installed again after the bot starts', async () => {
  await saveUninstalledWorkspaces(database.db, ['T01HARBOUR', 'T0NOWHERE']);
  const { botToken: token, apiUrl: slackApiUrl } = startedBot.workspace;
  const client = new WebClient(token, { slackApiUrl });
  await createSingleTokenDirectory({
    client,
    token,
    db: database.db,
    now: () => new Date(),
    endDeliveries,
  }).start();
  const uninstalledRows = await database.db.selectFrom('uninstalled_workspace').select('workspace').execute();
  expect(uninstalledRows).toEqual([{ workspace: 'T0NOWHERE' }]);
});

const createCommand = (team_id: string) => ({ ...COMMAND, text: 'projects', team_id });

test('with a bot token, the service from the settings is called only for the workspace of the token', async () => {
  const target = { url: startedBot.url ?? '', signingSecret: startedBot.workspace.signingSecret };
  const countServiceCalls = () => startedBot.service.calls.length;
  expect(await sendSigned(target, createCommand('T0NOWHERE'), 1)).toMatchObject({
    status: 200,
    body: { text: 'Upnext is set up for a different workspace. Ask the person who runs it to add yours.' },
  });
  expect(countServiceCalls()).toBe(0);
  expect((await sendSigned(target, createCommand('T01HARBOUR'), 2)).body).toMatchObject({
    text: expect.stringContaining('Harbour Coffee'),
  });
  expect(countServiceCalls()).toBeGreaterThan(0);
});

test('an app for one workspace has no install page', async () => {
  const { origin } = new URL(startedBot.url ?? '');
  for (const path of ['/slack/install', '/slack/oauth_redirect']) {
    expect((await fetch(`${origin}${path}`, { redirect: 'manual' })).status).toBe(404);
  }
});

test('an owner sees that the service from the settings is used, and can connect another service', async () => {
  const ana = startedBot.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext connect', 'This workspace uses Upnext’s default scheduling service.');
  const form = await pressForForm(ana, 'Connect a service', 'Connect a service');
  await form.fill('Address of the service', startedBot.service.url);
  await form.fill('Token', 'another-token');
  expect((await form.submit()).errors).toEqual({
    'Address of the service': 'The address must begin with https://',
  });
});
