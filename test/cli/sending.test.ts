import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runSending(...args: string[]) {
  const command = startCommand('cli/sending.ts', { env: { DATA_DIR: folder }, args });
  const status = await command.exit;
  return { status, output: command.readOutput() };
}

test('stop-sending stops all sending and explains how to resume it, and resume-sending resumes it', async () => {
  const stopResult = await runSending('stop', 'the', 'wrong', 'texts');
  expect(stopResult).toMatchObject({ status: 0, output: expect.stringContaining('the wrong texts') });
  expect(stopResult.output).toContain('npm run resume-sending');
  expect(await runSending('resume')).toMatchObject({ status: 0, output: 'Sending is resumed.\n' });
  expect(await runSending('resume')).toMatchObject({ status: 0, output: 'Sending was not stopped.\n' });
});

test('any other argument prints the usage', async () => {
  expect(await runSending('pause')).toEqual({
    status: 2,
    output: expect.stringMatching(
      /^The first argument must be stop or resume\n\nUsage: npm run stop-sending/,
    ),
  });
});
