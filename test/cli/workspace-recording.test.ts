import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createTestFolder } from '../support/test-folder.ts';
import { SILENT, TEST_MANIFEST } from '../support/workspace.ts';
import { openLivePage } from '../support/workspace-page.ts';

let folder: string;
let command: RunningCommand | undefined;
let app: App | undefined;

beforeEach(async () => {
  folder = await createTestFolder('recording-');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(TEST_MANIFEST));
});

afterEach(async () => {
  await app?.stop();
  command?.kill('SIGKILL');
  await command?.exit;
  [command, app] = [undefined, undefined];
  rmSync(folder, { recursive: true });
});

/** Starts the workspace with these options, and returns what it prints for an app. */
async function startWorkspace(...args: string[]) {
  command = startCommand('cli/workspace.ts', {
    args: ['--manifest', join(folder, 'manifest.json'), ...args],
    env: { DATA_DIR: folder, WORKSPACE_PORT: '0' },
  });
  const read = async (name: string) =>
    (await command?.waitForOutput(new RegExp(`${name}=(\\S+)`)))?.[1] ?? '';
  const apiUrl = await read('SLACK_API_URL');
  const [token, appToken] = [await read('SLACK_BOT_TOKEN'), await read('SLACK_APP_TOKEN')];
  return { apiUrl, token, appToken, url: new URL(apiUrl).origin };
}

/** Connects an app that answers /say with a text. */
async function connectApp(
  { apiUrl, token, appToken }: Awaited<ReturnType<typeof startWorkspace>>,
  answer: string,
): Promise<void> {
  app = new App({
    token,
    appToken,
    socketMode: true,
    logger: SILENT,
    clientOptions: { slackApiUrl: apiUrl },
  });
  app.command('/say', ({ ack }) => ack(answer));
  await app.start();
}

async function recordSession(file: string): Promise<void> {
  const workspace = await startWorkspace('--record', file);
  await connectApp(workspace, 'Hello');
  const page = await openLivePage(workspace, '?person=ana');
  page.send({ id: 1, act: 'command', channel: 'C01GENERAL', text: '/say hi' });
  while ((await page.receiveMessage()).type !== 'result');
  page.close();
  await app?.stop();
  command?.kill('SIGTERM');
  await command?.exit;
}

test('a session is recorded in a file, and replayed with an app that acts differently', async () => {
  const file = join(folder, 'session.jsonl');
  await recordSession(file);
  expect(readFileSync(file, 'utf8')).toContain('"text":"/say hi"');
  const workspace = await startWorkspace('--replay', file);
  await connectApp(workspace, 'Bye');
  await command?.waitForOutput(/1\. ana: \/say hi: \/say hi is changed\n {2}text: "Hello" is now "Bye"/);
  expect(await command?.exit).toBe(1);
});

test('a replay with the same app ends without an error', async () => {
  const file = join(folder, 'session.jsonl');
  await recordSession(file);
  const workspace = await startWorkspace('--replay', file);
  await connectApp(workspace, 'Hello');
  await command?.waitForOutput(/Nothing differs\./);
  expect(await command?.exit).toBe(0);
});

test('a recording never replaces another file', async () => {
  const file = join(folder, 'manifest.json');
  command = startCommand('cli/workspace.ts', {
    args: ['--manifest', file, '--record', file],
    env: { DATA_DIR: folder, WORKSPACE_PORT: '0' },
  });
  await command.waitForOutput(/--record \S+manifest\.json exists already/);
  expect(await command.exit).toBe(1);
});
