import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { loadCommand } from 'slack-workspace-emulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { createTestFolder } from '../support/test-folder.ts';

const { readCommandOptions, startFromManifest } = await loadCommand();

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

function writeManifest(text: string): string {
  const path = join(folder, 'manifest');
  writeFileSync(path, text);
  return path;
}

const OTHER_APP = '{"display_information": {"name": "Other app"}}';

/** Sends two messages to the same channel at once, and returns the statuses of the answers. */
async function sendTwoMessages(apiUrl: string, token: string): Promise<number[]> {
  const sendMessage = async () => {
    const body = new URLSearchParams({ token, channel: 'C01GENERAL', text: 'x' });
    return (await fetch(`${apiUrl}chat.postMessage`, { method: 'POST', body })).status;
  };
  return [await sendMessage(), await sendMessage()];
}

test('the practice workspace prints the settings that an app needs for Socket Mode, and accepts its calls', async () => {
  const { waitForOutput } = startPracticeWorkspace(['--manifest', writeManifest(OTHER_APP)]);
  const [, apiUrl = '', token = ''] = await waitForOutput(
    /SLACK_API_URL=(\S+)\n\s+SLACK_BOT_TOKEN=(xoxb-\S+)\n\s+SLACK_APP_TOKEN=xapp-\S+\n/,
  );
  expect(await sendTwoMessages(apiUrl, token), 'without --limits').toEqual([200, 200]);
});

test('the practice workspace does and prints what its options and manifests ask for', async () => {
  const manifest = writeManifest(
    '{"display_information": {"name": "Late"}, "settings": {"event_subscriptions": {"bot_events": ["call_rejected"], "colour": 1}}}',
  );
  const second = join(folder, 'second.json');
  writeFileSync(second, '{"display_information": {"name": "Second"}}');
  const { waitForOutput } = startPracticeWorkspace([
    ...['--manifest', manifest, '--app', `${second}=http://127.0.0.1:9/`, '--host', '0.0.0.0', '--limits'],
    ...['--request-url', 'http://127.0.0.1:9/slack/events'],
  ]);
  const [, apiUrl = '', token = ''] = await waitForOutput(
    /SLACK_API_URL=(\S+)\n\s+SLACK_BOT_TOKEN=(xoxb-\S+)\n\s+SLACK_SIGNING_SECRET=\S+\n/,
  );
  await waitForOutput(
    /For Second, set:\s+SLACK_API_URL=\S+\s+SLACK_BOT_TOKEN=xoxb-\w+\s+SLACK_SIGNING_SECRET=\w+/,
  );
  await waitForOutput(/is at http:\/\/[^/]+:\d+\/\?token=[0-9a-f]{32}\. /);
  await waitForOutput(/has parts that this workspace doesn't support: event call_rejected\./);
  await waitForOutput(/has parts that Slack doesn't know: key settings\.event_subscriptions\.colour\./);
  expect(await sendTwoMessages(apiUrl, token), 'with --limits').toEqual([200, 429]);
});

describe('a practice workspace that can’t start', () => {
  test('prints one line, for example if the port is in use', async () => {
    server = createServer();
    const port = await listenOnFreePort(server);
    const failingCommand = startPracticeWorkspace([], { WORKSPACE_PORT: String(port) });
    expect(await failingCommand.exit).toBe(1);
    expect(failingCommand.readOutput()).toMatch(new RegExp(`^WORKSPACE_PORT ${port} is in use.*\n$`));
  });

  test('prints its usage too if an option is wrong', async () => {
    const failingCommand = startPracticeWorkspace(['--request-url', 'localhost:3000']);
    expect(await failingCommand.exit).toBe(2);
    expect(failingCommand.readOutput()).toMatch(
      /^--request-url must be the address of the app.*\n\nUsage: npm run workspace/,
    );
    expect(() =>
      readCommandOptions({ manifest: 'manifest.yml', app: [], limits: false, 'options-state': 'fresh' }),
    ).toThrow('--options-state must be one of stale, missing, current');
  });

  test.each([
    ['incomplete JSON', '{"features": {', /^--manifest \S+ cannot be read: .+ at line \d/],
    ['invalid YAML', 'features: slash_commands: []\n  name', /^--manifest \S+ cannot be read: .+ at line \d/],
    ['no manifest', 'hello', /^--manifest \S+ is not an app manifest/],
    ['a list', '[1, 2]', /^--manifest \S+ is not an app manifest/],
    ['empty', '', /^--manifest \S+ is not an app manifest/],
    [
      'one that Slack would refuse',
      JSON.stringify({ display_information: { name: 'x'.repeat(36) } }),
      /^--manifest \S+: Slack .+ must be less than 36 characters at \/display_information\/name$/,
    ],
  ])('says so if the manifest is %s', async (_, text, expected) => {
    expect(await startHere(writeManifest(text))).toMatch(expected);
  });

  test('says so if the manifest does not exist, the host is not its own, or the stored state cannot be read', async () => {
    expect(await startHere('nowhere.yml')).toMatch(/^--manifest nowhere\.yml cannot be read: ENOENT/);
    const manifest = writeManifest(OTHER_APP);
    expect(await startHere(manifest, { host: '192.0.2.1' })).toBe(
      '--host 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)',
    );
    mkdirSync(join(folder, 'workspace'));
    writeFileSync(join(folder, 'workspace', 'state.json'), '{');
    expect(await startHere(manifest, { folder: join(folder, 'workspace') })).toMatch(
      /^DATA_DIR: .*state\.json cannot be read/,
    );
  });
});

/** Starts a workspace as the command does, in this process, and returns what the command would print. */
async function startHere(
  manifest: string,
  options: { host?: string; folder?: string } = {},
): Promise<string> {
  const delivery = { kind: 'socket' } as const;
  const names = { port: 'WORKSPACE_PORT', folder: 'DATA_DIR' };
  try {
    await (await startFromManifest(manifest, { port: 0, delivery, ...options }, names)).close();
    return 'started';
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
