import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder: string;
let command: RunningCommand | undefined;
let server: Server | undefined;

beforeEach(async () => {
  folder = await createTestFolder('workspace-');
});

afterEach(async () => {
  command?.kill('SIGKILL');
  await command?.exit;
  server?.close();
  [command, server] = [undefined, undefined];
  rmSync(folder, { recursive: true });
});

function startPracticeWorkspace(args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  command = startCommand('cli/workspace.ts', {
    args,
    env: { DATA_DIR: folder, WORKSPACE_PORT: '0', ...env },
  });
  return command;
}

/** Waits for a failed start, and returns its only line of output. */
async function readFailure(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const failingCommand = startPracticeWorkspace(args, env);
  expect(await failingCommand.exit).toBe(1);
  const lines = failingCommand.readOutput().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

function writeManifest(text: string): string {
  const path = join(folder, 'manifest');
  writeFileSync(path, text);
  return path;
}

test('the practice workspace says what the manifest asks for in vain', async () => {
  const manifest = writeManifest(
    '{"display_information": {"name": "Late"}, "settings": {"event_subscriptions": {"bot_events": ["call_rejected"], "colour": 1}}}',
  );
  const { waitForOutput } = startPracticeWorkspace(['--manifest', manifest]);
  await waitForOutput(/has parts that this workspace doesn't support: event call_rejected\./);
  await waitForOutput(/has parts that Slack doesn't know: key settings\.event_subscriptions\.colour\./);
});

test('--app adds a further app, and prints what it needs', async () => {
  const first = writeManifest('{"display_information": {"name": "First"}}');
  const second = join(folder, 'second.json');
  writeFileSync(second, '{"display_information": {"name": "Second"}}');
  const { waitForOutput } = startPracticeWorkspace([
    '--manifest',
    first,
    '--app',
    `${second}=http://127.0.0.1:9/`,
  ]);
  await waitForOutput(
    /For Second, set:\s+SLACK_API_URL=\S+\s+SLACK_BOT_TOKEN=xoxb-\w+\s+SLACK_SIGNING_SECRET=\w+/,
  );
});

test('--host prints an address of the page with a token', async () => {
  const { waitForOutput } = startPracticeWorkspace(['--host', '0.0.0.0']);
  await waitForOutput(/is at http:\/\/[^/]+:\d+\/\?token=[0-9a-f]{32}\. /);
});

describe('a practice workspace that can’t start', () => {
  test('the practice workspace prints one line if the host is not its own', async () => {
    expect(await readFailure(['--host', '192.0.2.1'])).toBe(
      '--host 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)',
    );
  });

  test('the practice workspace prints one line if the manifest does not exist', async () => {
    expect(await readFailure(['--manifest', 'nowhere.yml'])).toMatch(
      /^--manifest nowhere\.yml cannot be read: ENOENT/,
    );
  });

  test.each([
    ['incomplete JSON', '{"features": {'],
    ['invalid YAML', 'features: slash_commands: []\n  name'],
  ])('the practice workspace prints one line if the manifest is %s', async (_, text) => {
    expect(await readFailure(['--manifest', writeManifest(text)])).toMatch(
      /^--manifest \S+ cannot be read: .+ at line \d/,
    );
  });

  test.each(['hello', '[1, 2]', ''])(
    'the practice workspace prints one line if the file does not contain a manifest: %j',
    async (text) => {
      expect(await readFailure(['--manifest', writeManifest(text)])).toMatch(
        /^--manifest \S+ is not an app manifest/,
      );
    },
  );

  test('the practice workspace prints one line if Slack would refuse the manifest', async () => {
    const manifest = { display_information: { name: 'x'.repeat(36) } };
    expect(await readFailure(['--manifest', writeManifest(JSON.stringify(manifest))])).toMatch(
      /^--manifest \S+: Slack .+ must be less than 36 characters at \/display_information\/name$/,
    );
  });

  test.each([
    ['--request-url', 'localhost:3000', '--request-url must be the address of the app'],
    ['--options-state', 'fresh', '--options-state must be one of stale, missing, current'],
  ])('the argument %s %s is wrong', async (name, value, expected) => {
    const startedCommand = startPracticeWorkspace([name, value]);
    expect(await startedCommand.exit).toBe(2);
    expect(startedCommand.readOutput()).toContain(expected);
    expect(startedCommand.readOutput()).toContain('\n\nUsage: npm run workspace');
  });

  test('the practice workspace prints one line if the port is in use', async () => {
    server = createServer();
    const port = await listenOnFreePort(server);
    expect(await readFailure([], { WORKSPACE_PORT: String(port) })).toMatch(
      new RegExp(`^WORKSPACE_PORT ${port} is in use`),
    );
  });

  test('the practice workspace prints one line if the stored state cannot be read', async () => {
    mkdirSync(join(folder, 'workspace'));
    writeFileSync(join(folder, 'workspace', 'state.json'), '{');
    expect(await readFailure([])).toMatch(/^DATA_DIR: .*state\.json cannot be read/);
  });
});

test('the practice workspace enforces Slack’s rate limits only with --limits', async () => {
  const settings = /SLACK_API_URL=(\S+)\n\s+SLACK_BOT_TOKEN=(\S+)/;
  const requestStatuses = async (...args: string[]) => {
    const manifest = writeManifest('{"display_information": {"name": "Other app"}}');
    const [, apiUrl = '', token = ''] = await startPracticeWorkspace([
      '--manifest',
      manifest,
      ...args,
    ]).waitForOutput(settings);
    const sendMessage = async () => {
      const body = new URLSearchParams({ token, channel: 'C01GENERAL', text: 'x' });
      return (await fetch(`${apiUrl}chat.postMessage`, { method: 'POST', body })).status;
    };
    return [await sendMessage(), await sendMessage()];
  };
  expect(await requestStatuses('--limits')).toEqual([200, 429]);
  command?.kill('SIGKILL');
  await command?.exit;
  expect(await requestStatuses()).toEqual([200, 200]);
});

test.each([
  ['Socket Mode', [], /SLACK_API_URL=(\S+)\n\s+SLACK_BOT_TOKEN=xoxb-\S+\n\s+SLACK_APP_TOKEN=xapp-\S+\n/],
  [
    'HTTP',
    ['--request-url', 'http://127.0.0.1:9/slack/events'],
    /SLACK_API_URL=(\S+)\n\s+SLACK_BOT_TOKEN=xoxb-\S+\n\s+SLACK_SIGNING_SECRET=\S+\n/,
  ],
])(
  'the practice workspace prints the settings that an app needs for %s, and accepts its calls',
  async (_, args, settings) => {
    const manifest = writeManifest('{"display_information": {"name": "Other app"}}');
    const [, apiUrl = ''] = await startPracticeWorkspace(['--manifest', manifest, ...args]).waitForOutput(
      settings,
    );
    const response = await fetch(`${apiUrl}api.test`, { method: 'POST' });
    expect(await response.json()).toEqual({ ok: true });
  },
);
