import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Team } from '../src/acting/team.ts';
import { startWorkspace } from '../src/slack.ts';
import type { OtherApp, Workspace } from '../src/workspace.ts';
import { expectError } from './support/fixtures.ts';
import { createOAuthSteps, REDIRECT } from './support/oauth-steps.ts';
import { createSlackClient, SILENT, TEST_MANIFEST, WAIT_MS } from './support/workspace.ts';

const HELPER_REDIRECT = 'https://helper.example.com/oauth';
const HELPER_MANIFEST = {
  display_information: { name: 'Helper' },
  features: {
    bot_user: { display_name: 'helper' },
    slash_commands: [{ command: '/help-me', description: 'Helps' }],
  },
  oauth_config: {
    redirect_urls: [HELPER_REDIRECT],
    scopes: { bot: ['chat:write', 'commands', 'users:read'], bot_optional: ['users:read'] },
  },
};
const MANIFEST = {
  ...TEST_MANIFEST,
  oauth_config: { ...TEST_MANIFEST.oauth_config, redirect_urls: [REDIRECT] },
};

let workspace: Workspace;
let helper: OtherApp;
let books: Team;
let folder: string;

async function start(): Promise<void> {
  workspace = await startWorkspace({
    waitMs: WAIT_MS,
    folder,
    manifest: MANIFEST,
    otherApps: [{ manifest: HELPER_MANIFEST, installed: false }],
  });
  const [first] = workspace.otherApps;
  if (!first) throw new Error('There is no further app');
  helper = first;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apps-'));
  await start();
  books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
});
afterEach(async () => {
  await workspace.close();
  await rm(folder, { recursive: true });
});

const steps = () => createOAuthSteps(workspace, helper);
const buildAuthorizeUrl = (changes: Record<string, string> = {}) =>
  steps().buildAuthorizeUrl({ scope: 'chat:write,commands,users:read', redirect_uri: undefined, ...changes });

async function install(team: Team, person: string, choice = {}) {
  const redirect = new URL(await team.as(person).consent(buildAuthorizeUrl(), choice));
  expect(redirect.origin + redirect.pathname).toBe(HELPER_REDIRECT);
  const code = redirect.searchParams.get('code') ?? '';
  return steps().requestToken({ ...steps().credentials, code });
}

test('the consent page names the app that asks, and the app is nowhere before', async () => {
  const html = await (await fetch(buildAuthorizeUrl())).text();
  expect(html).toContain('Helper is requesting access to a workspace');
  expect(html).not.toContain('pins:write');
  const ana = workspace.as('Ana').in('#general');
  await ana.type('/help-me');
  await ana.sees('/help-me is not a valid command');
  await expectError(createSlackClient(workspace, helper.botToken).auth.test(), 'invalid_auth');
});

test('a further app is installed in several workspaces, and uninstalled in one of them', async () => {
  const harbourInstallation = await install(workspace.team, 'Ana', { declinedScopes: ['users:read'] });
  expect(harbourInstallation).toMatchObject({
    scope: 'chat:write,commands',
    team: { id: workspace.team.id, name: 'Harbour Coffee' },
  });
  const booksInstallation = await install(books, 'Rosa');
  expect(booksInstallation).toMatchObject({ app_id: harbourInstallation.app_id, team: { id: books.id } });
  expect(booksInstallation.bot_user_id).not.toBe(harbourInstallation.bot_user_id);
  const tokens: Record<string, string | undefined> = {
    [workspace.team.id]: harbourInstallation.access_token,
    [books.id]: booksInstallation.access_token,
  };
  const app = new App({
    appToken: helper.appToken,
    socketMode: true,
    logger: SILENT,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    authorize: ({ teamId = '' }) => Promise.resolve({ botToken: tokens[teamId] ?? '' }),
  });
  app.command('/help-me', ({ ack, body }) => ack(`Helping ${body.team_domain}`));
  await app.start();
  const [ana, rosa] = [workspace.as('Ana').in('#general'), books.as('Rosa').in('#general')];
  await ana.type('/help-me');
  await ana.sees('Helping harbour-coffee');
  await rosa.type('/help-me');
  await rosa.sees('Helping night-market-books');
  await rosa.type('/invite @helper');
  await createSlackClient(workspace, booksInstallation.access_token ?? '').chat.postMessage({
    channel: rosa.channel.id,
    text: 'Only in the bookshop',
  });
  await rosa.sees('Only in the bookshop');

  await createSlackClient(workspace, booksInstallation.access_token ?? '').apps.uninstall(
    steps().credentials,
  );
  await rosa.type('/help-me');
  await rosa.sees('/help-me is not a valid command');
  const client = createSlackClient(workspace, harbourInstallation.access_token ?? '');
  expect(await client.auth.test()).toMatchObject({ team_id: workspace.team.id, user: 'helper' });
  expect((await createSlackClient(workspace).auth.test()).user).toBe('tester');
  await app.stop();
});

test('an app can use neither codes nor tokens of another', async () => {
  const redirect = await workspace.as('Ana').consent(buildAuthorizeUrl());
  const code = new URL(redirect).searchParams.get('code') ?? '';
  const ownCredentials = { client_id: workspace.clientId, client_secret: workspace.clientSecret };
  expect(await steps().requestToken({ ...ownCredentials, code })).toEqual({
    ok: false,
    error: 'invalid_code',
  });
  expect(
    await steps().requestToken({ client_id: helper.clientId, client_secret: workspace.clientSecret, code }),
  ).toEqual({ ok: false, error: 'bad_client_secret' });
  const response = await fetch(buildAuthorizeUrl({ redirect_uri: REDIRECT }));
  expect(await response.text()).toContain('redirect_uri did not match');
  const { access_token: token = '' } = await install(workspace.team, 'Ana');
  const uninstalled = createSlackClient(workspace, token).apps.uninstall(ownCredentials);
  await expectError(uninstalled, 'client_id_token_mismatch');
});

test('an installation is there after a restart, and gone after a reset', async () => {
  const { access_token: token = '' } = await install(books, 'Rosa');
  await workspace.close();
  await start();
  const client = createSlackClient(workspace, token);
  expect(await client.auth.test()).toMatchObject({ user: 'helper', team_id: books.id });
  workspace.reset();
  await expectError(createSlackClient(workspace, token).auth.test(), 'invalid_auth');
});
