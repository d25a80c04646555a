import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startWorkspace } from 'slack-workspace-emulator';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { listenOnFreePort } from '../support/listening-port.ts';

// https://www.postgresql.org/docs/current/protocol-error-fields.html
const FIELDS = 'SFATAL\0C3D000\0Mdatabase "upnext" does not exist\0\0';
const NO_SUCH_DATABASE = Buffer.from(`E\0\0\0${String.fromCharCode(FIELDS.length + 4)}${FIELDS}`, 'latin1');

let folder: string;
const startedCommands: RunningCommand[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  folder = await createDataFolder();
});

afterEach(async () => {
  for (const command of startedCommands.splice(0)) {
    command.kill('SIGKILL');
    await command.exit;
  }
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true });
});

function start(env: Record<string, string> = {}, entry = 'main.ts') {
  const ports = { PORT: '0', WORKSPACE_PORT: '0', SERVICE_PORT: '0' };
  const command = startCommand(entry, { env: { DATA_DIR: folder, LOG_LEVEL: 'warn', ...ports, ...env } });
  startedCommands.push(command);
  return command;
}

const ENCRYPTION_KEYS = `k:${Buffer.alloc(32, 3).toString('base64')}`;

/** Settings for many workspaces. With them, the start takes half of the time, because nothing is built in but the database. */
const MANY_WORKSPACES = {
  SLACK_CLIENT_ID: '1234567.890',
  SLACK_CLIENT_SECRET: 'c'.repeat(32),
  SLACK_SIGNING_SECRET: 'd'.repeat(32),
  PUBLIC_URL: 'https://upnext.example.com/',
  ENCRYPTION_KEYS,
};
/** Settings for a service that isn't called. */
const REMOTE_SERVICE = { SCHEDULING_API_URL: 'http://127.0.0.1:9', SCHEDULING_API_TOKEN: 'a-service-token' };

async function occupyPort(): Promise<string> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : address);
}

/** Waits for a failed start, and returns its only line of output. */
async function readFailure(command: RunningCommand): Promise<string> {
  expect(await command.exit).toBe(1);
  const lines = command.readOutput().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe('a failed start', () => {
  test('a failed start because of incomplete Slack settings prints one line that names the settings', async () => {
    const line = await readFailure(start({ SLACK_BOT_TOKEN: 'xoxb-1234-5678-abcdef' }));
    expect(line).toMatch(/^SLACK_APP_TOKEN .*SLACK_SIGNING_SECRET .*missing/);
  });

  // The practice systems start as programs as they do for `npm start`, but without the rest of the app.
  test.each([
    [
      'slack-workspace-emulator',
      'cli/workspace.ts',
      'The practice workspace is not installed: run `npm ci`, or set SLACK_BOT_TOKEN with ',
    ],
    [
      '^ws$',
      'cli/workspace.ts',
      'The practice workspace is not installed: run `npm ci`, or set SLACK_BOT_TOKEN with ',
    ],
    [
      '^hono$',
      'cli/service.ts',
      'The practice service is not installed: run `npm ci`, or set SCHEDULING_API_URL and ',
    ],
  ])(
    'a start without the module %s prints one line that says what to do',
    async (absent, entry, expected) => {
      const hooks = new URL('programs/without-modules.ts', import.meta.url);
      const env = { ABSENT_MODULES: absent, NODE_OPTIONS: `--import ${hooks}` };
      expect(await readFailure(start(env, entry))).toContain(expected);
    },
  );

  test.each([
    ['PORT', MANY_WORKSPACES],
    ['SERVICE_PORT', {}],
  ])('a failed start because %s is in use prints one line that names the setting', async (name, settings) => {
    const port = await occupyPort();
    const line = await readFailure(start({ ...settings, [name]: port, LOG_LEVEL: 'error' }));
    expect(line).toMatch(new RegExp(`^${name} ${port} is in use`));
  });

  test('the app waits for a database that is down, and doesn’t log its address', async () => {
    const port = await occupyPort();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    const url = `postgres://ana:hunter2@127.0.0.1:${port}/upnext`;
    const command = start({ ...MANY_WORKSPACES, DATABASE_URL: url });
    await command.waitForOutput(/"msg":"waiting for the database"/);
    expect(command.readOutput()).toContain('nothing listens at its address');
    expect(command.readOutput()).not.toContain('hunter2');
    command.kill();
    expect(await command.exit).toBe('SIGTERM');
  });

  test('a failed start because the database does not exist prints one line that names DATABASE_URL', async () => {
    const refusingServer = createServer((socket) => socket.once('data', () => socket.end(NO_SUCH_DATABASE)));
    servers.push(refusingServer);
    const port = await listenOnFreePort(refusingServer);
    const url = `postgres://ana:hunter2@127.0.0.1:${port}/upnext`;
    const line = await readFailure(start({ ...MANY_WORKSPACES, DATABASE_URL: url, LOG_LEVEL: 'error' }));
    expect(line).toMatch(/^DATABASE_URL: .*no database of this name/);
    expect(line).not.toContain('hunter2');
  });

  test('a start with other encryption keys than the database’s says what to look for, until they are said to be lost', async () => {
    const env = { ...MANY_WORKSPACES, LOG_LEVEL: 'error' };
    const run = async (entry: string, keys: string, args: readonly string[] = []) => {
      const settings = { DATA_DIR: folder, PORT: '0', ...env, ENCRYPTION_KEYS: keys };
      const command = startCommand(entry, { env: settings, args });
      startedCommands.push(command);
      return command;
    };
    const startAndStop = async (keys: string) => {
      const command = await run('main.ts', keys);
      await command.waitForOutput(/Upnext is ready/);
      command.kill('SIGINT');
      await command.exit;
    };
    const other = Buffer.alloc(32, 4).toString('base64');
    await startAndStop(ENCRYPTION_KEYS);
    expect(await readFailure(await run('main.ts', `k2:${other}`))).toMatch(
      /^ENCRYPTION_KEYS: the key "k", with which the database was encrypted, is not among them: look for it/,
    );
    expect(await readFailure(await run('main.ts', `k:${other}`))).toMatch(
      /^ENCRYPTION_KEYS: the key "k" has another value than the one with which the database was encrypted/,
    );
    // Nothing was changed, so the right keys still work.
    await startAndStop(`k2:${other},${ENCRYPTION_KEYS}`);
    const rotation = await run('cli/rotate-keys.ts', `k2:${other}`, ['--lost']);
    expect(await rotation.exit).toBe(0);
    expect(rotation.readOutput()).toContain('Upnext starts without the lost key');
    await startAndStop(`k2:${other}`);
  });

  test('a failed start because Slack refuses a token prints one line without the token', async () => {
    const manifest = buildManifest(features, {});
    const workspace = await startWorkspace({ port: 0, manifest, delivery: { kind: 'socket' } });
    onTestFinished(() => workspace.close());
    const env = {
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: 'xoxb-9999-8888-not-the-one',
      SLACK_APP_TOKEN: workspace.appToken,
      ...REMOTE_SERVICE,
      ENCRYPTION_KEYS,
    };
    const line = await readFailure(start(env));
    expect(line).toMatch(/^SLACK_BOT_TOKEN: /);
    expect(line).not.toContain('xoxb-9999');
  });

  test('a failed start because Slack cannot be reached prints one line with its address and no token', async () => {
    const env = {
      // The log level hides a warning of Slack’s client.
      LOG_LEVEL: 'error',
      SLACK_API_URL: `http://127.0.0.1:${await occupyPort()}/`,
      SLACK_BOT_TOKEN: 'xoxb-9999-8888-not-the-one',
      SLACK_APP_TOKEN: 'xapp-9999-8888-not-the-one',
      ...REMOTE_SERVICE,
      ENCRYPTION_KEYS,
    };
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(await readFailure(start(env))).toMatch(/^SLACK_API_URL: /);
  });
});

describe('the whole app', () => {
  test('the app runs for many workspaces without emulators, with OAuth redirects over TLS', async () => {
    // The data folder doesn't exist yet.
    rmSync(folder, { recursive: true });
    const command = start(MANY_WORKSPACES);
    await command.waitForOutput(/Install it +https:\/\/upnext\.example\.com\/slack\/install/);
    const [, port] = await command.waitForOutput(/Health +port (\d+)/);
    expect(command.readOutput()).not.toContain('Practice');
    expect(command.readOutput()).toContain('TRUSTED_PROXIES is not set');
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    const response = await fetch(`http://127.0.0.1:${port}/slack/install`, { redirect: 'manual' });
    const redirect = new URL(response.headers.get('location') ?? '');
    expect(redirect.origin + redirect.pathname).toBe('https://slack.com/oauth/v2/authorize');
    expect(redirect.searchParams.get('redirect_uri')).toBe('https://upnext.example.com/slack/oauth_redirect');
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-upnext-install=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    // On a busy machine the database may take longer than the check.
    const readReadiness = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
    await expect.poll(readReadiness).toBe(200);
    const headers = { 'content-type': 'application/json' };
    const unsigned = { method: 'POST', headers, body: '{}' };
    expect((await fetch(`http://127.0.0.1:${port}/slack/events`, unsigned)).status).toBe(401);
    command.kill('SIGTERM');
    expect(await command.exit).toBe(0);
    expect(readdirSync(join(folder, 'database')).sort()).toEqual(['cluster', 'holder.json', 'lock']);
  });

  test('the app starts with the practice workspace, refuses a second process on the same data, and stops', async () => {
    const first = start();
    const [, page] = await first.waitForOutput(/Practice workspace\s+(\S+)/);
    await first.waitForOutput(/Upnext is ready/);
    const line = await readFailure(start());
    expect(line).toMatch(/^DATA_DIR: /);
    expect(line).toContain(String(first.pid));
    const response = await fetch(String(page));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<!doctype html>');
    first.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(first.readOutput()).not.toMatch(/error|warn/i);
  });
});

test('a start with an outdated Node.js prints one line that explains what to do', () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [
      '--require',
      './test/support/pretend-old-node.cjs',
      '--require',
      './src/start/prepare-node.cjs',
      'src/main.ts',
    ],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/needs Node.js 24 or newer, and this is 20.20.2/),
  ]);
});
