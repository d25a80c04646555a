import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/workspace.ts';
import { startTestWorkspace } from '../../support/workspace.ts';

const PRELOADS = join(import.meta.dirname, '../../../src/emulators/slack/preload');
const PROGRAMS = join(import.meta.dirname, 'programs');

let workspace: Workspace;
beforeAll(async () => {
  ({ workspace } = await startTestWorkspace());
});
afterAll(() => workspace.close());

/** Runs a program that knows only slack.com, and returns its lines. Undefined if the command doesn't exist. */
function runProgram(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<unknown[] | undefined> {
  const { apiUrl, botToken, appToken } = workspace;
  const tokens = { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { env: { PATH: process.env.PATH, ...tokens, ...env } },
      (error, stdout, stderr) => {
        if (error && 'code' in error && error.code === 'ENOENT') return resolve(undefined);
        if (error) return reject(new Error(`${stdout}\n${stderr}`));
        const lines = stdout.trim().split('\n');
        resolve(lines.map((line) => JSON.parse(line) as unknown));
      },
    );
  });
}

test('an app in Node.js with fixed slack.com addresses reaches the workspace with every client', async () => {
  const preload = join(PRELOADS, 'redirect.ts');
  const args = ['--import', preload, join(PROGRAMS, 'call-slack.ts')];
  expect(await runProgram(process.execPath, args)).toEqual([
    ['https.request', true, 'tester'],
    ['https.get', true, ''],
    ['fetch', true, 'tester'],
    ['undici', true, 'tester'],
    ['undici, HTTP/2', true, 'tester'],
    ['ws', true, ''],
    ['another address', true, ''],
  ]);
});

test('an app in Python with fixed slack.com addresses reaches the workspace with every client', async () => {
  const answers = await runProgram('python3', [join(PROGRAMS, 'call_slack.py')], {
    PYTHONPATH: join(PRELOADS, 'python'),
  });
  if (!answers) return console.warn('Not run: there is no python3');
  expect(answers.slice(0, 3)).toEqual([
    ['urllib', true, 'tester'],
    ['http.client', true, 'tester'],
    ['asyncio', true, 'tester'],
  ]);
  // Only where it is installed.
  for (const answer of answers.slice(3)) expect(answer).toEqual(['requests', true, 'tester']);
});
