import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await newDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function sending(...args: string[]) {
  const command = startCommand('cli/sending.ts', { env: { DATA_DIR: folder }, args });
  const status = await command.ended;
  return { status, said: command.output() };
}

test('one command stops all sending, and says how it goes on; another lets it', async () => {
  const stopped = await sending('stop', 'the', 'wrong', 'texts');
  expect(stopped).toMatchObject({ status: 0, said: expect.stringContaining('the wrong texts') });
  expect(stopped.said).toContain('npm run resume-sending');
  expect(await sending('resume')).toMatchObject({ status: 0, said: 'Sending goes on.\n' });
  expect(await sending('resume')).toMatchObject({ status: 0, said: 'Nothing was stopped.\n' });
});

test('what is neither is told in one line', async () => {
  expect(await sending('pause')).toEqual({ status: 1, said: 'stop or resume?\n' });
});
