import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { startWorkspace, type Workspace } from '../../src/emulators/slack/slack.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { findFreePort } from '../support/listening-port.ts';
import { WAIT_MS } from '../support/workspace.ts';
import { findTraces } from './traces.ts';

// Runs the app for many workspaces and installs it. Then searches its output, messages and files for the secrets.

const CANARY = {
  clientSecret: 'canary0client0secret0of0the0app7f3a',
  signingSecret: 'ca0a4e51696e67536563726574f3a1b3',
  key: createHash('sha256').update('canary key of the installed').digest('base64'),
  code: 'canary-code-7f3a01',
  state: 'canary-state-7f3a02',
};
const CLIENT = '1234567890.9876543210';
/** Slack's tokens of every kind, including refresh tokens. */
const TOKEN = /xox[a-z][.-][\w.-]+/;

let folder: string;
let workspace: Workspace;
let bot: RunningCommand;
let metrics = '';
let messages = '';
let botToken = '';

beforeAll(async () => {
  folder = await createDataFolder();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const manifest = buildManifest(features, { requestUrl: `${origin}/slack/events`, isForMany: true });
  workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest,
    delivery: { kind: 'http', url: `${origin}/slack/events` },
    installed: false,
    tokens: {
      bot: 'xoxb-not-in-use-1',
      app: 'xapp-not-in-use-1',
      signingSecret: CANARY.signingSecret,
      clientId: CLIENT,
      clientSecret: CANARY.clientSecret,
    },
  });
  bot = startCommand('main.ts', {
    env: {
      DATA_DIR: folder,
      LOG_LEVEL: 'trace',
      PORT: String(port),
      HEALTH_PORT: '0',
      PUBLIC_URL: origin,
      SLACK_CLIENT_ID: CLIENT,
      SLACK_CLIENT_SECRET: CANARY.clientSecret,
      SLACK_SIGNING_SECRET: CANARY.signingSecret,
      SLACK_API_URL: workspace.apiUrl,
      ENCRYPTION_KEYS: `canary:${CANARY.key}`,
    },
  });
  await bot.waitForOutput(/Upnext is ready/);
  await installAndUse(origin);
  const [, healthPort] = await bot.waitForOutput(/metrics +port (\d+)/);
  metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  bot.kill('SIGKILL');
  await bot.exit;
}, 120_000);

afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true });
});

async function installAndUse(origin: string): Promise<void> {
  const ana = workspace.as('Ana').in('#general');
  expect((await ana.install(`${origin}/slack/install`)).status).toBe(200);
  ({ botToken } = workspace.team);
  await ana.type('/upnext projects');
  await ana.sees('isn’t connected to a scheduling service yet');
  await ana.type('/upnext roles');
  await ana.sees('because you installed Upnext');
  // Redirects with an invalid state, and with a valid state but an unknown code.
  await fetch(`${origin}/slack/oauth_redirect?code=${CANARY.code}&state=${CANARY.state}`);
  const installPage = await fetch(`${origin}/slack/install`, { redirect: 'manual' });
  const state = new URL(installPage.headers.get('location') ?? '').searchParams.get('state');
  const cookie = installPage.headers.get('set-cookie')?.split(';')[0] ?? '';
  const redirectResponse = await fetch(`${origin}/slack/oauth_redirect?code=${CANARY.code}&state=${state}`, {
    headers: { cookie },
  });
  expect(redirectResponse.status).toBe(502);
  messages = ana.messages().join('\n') + (await ana.inDirectMessage()).messages().join('\n');
  workspace.admin.revokeToken();
  await bot.waitForOutput(/app left the workspace/);
}

const readFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'latin1') }));

test('the control test: the app was installed and used', () => {
  expect(botToken).toMatch(TOKEN);
  expect(messages).toContain('you’re its first Owner');
  expect(bot.readOutput()).toContain('could not exchange the OAuth code');
  expect(readFiles().length).toBeGreaterThan(100);
});

test.each(Object.entries(CANARY))('the secret %s is in no log, metric, message or file', (_name, canary) => {
  for (const text of [bot.readOutput(), metrics, messages]) expect(findTraces(canary, text)).toEqual([]);
  const filesWithSecret = readFiles().filter(({ text }) => findTraces(canary, text).length > 0);
  expect(filesWithSecret.map(({ name }) => name)).toEqual([]);
});

test('none of Slack’s tokens is in a log, metric, message or file, not even a refresh token', () => {
  for (const text of [bot.readOutput(), metrics, messages]) expect(text.match(TOKEN)).toBeNull();
  const filesWithSecret = readFiles().filter(
    ({ text }) => TOKEN.test(text) || findTraces(botToken, text).length > 0,
  );
  expect(filesWithSecret.map(({ name }) => name)).toEqual([]);
});
