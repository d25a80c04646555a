import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrCreateSecret } from '../../src/start/secrets.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDatabaseFolder } from '../support/database-folder.ts';
import { createEarlierDatabase, readEarlierDatabase } from '../support/earlier-database.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder: string;
const startedCommands: RunningCommand[] = [];
const resolvePath = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await createTestFolder('data-');
  await rename(await createDatabaseFolder(), resolvePath('database'));
});
afterEach(async () => {
  for (const command of startedCommands.splice(0)) {
    command.kill('SIGKILL');
    await command.exit;
  }
  rmSync(folder, { recursive: true });
});

function startEntry(entry = 'main.ts'): RunningCommand {
  const ports = { PORT: '0', WORKSPACE_PORT: '0', SERVICE_PORT: '0' };
  const command = startCommand(entry, { env: { DATA_DIR: folder, LOG_LEVEL: 'warn', ...ports } });
  startedCommands.push(command);
  return command;
}

/** Starts the app, stops it when it is ready, and returns the folders to which it moved data. */
async function startAndListMovedFolders(): Promise<string[]> {
  const command = startEntry();
  await command.waitForOutput(/Upnext is ready/);
  command.kill();
  await command.exit;
  const lines = command
    .readOutput()
    .split('\n')
    .filter((line) => line.includes('moved aside'));
  return lines.map((line) => String(/"to":"([^"]+)"/.exec(line)?.[1])).sort();
}

test('when the app starts, it moves an earlier version’s data aside, and logs the new folder once', async () => {
  await createEarlierDatabase(resolvePath('database'), 'of the app');
  await rename(await createDatabaseFolder(), resolvePath('service'));
  await createEarlierDatabase(resolvePath('service'), 'of the service');
  const key = readOrCreateSecret(folder, 'encryption-key', () => Buffer.alloc(32, 7).toString('base64'));
  mkdirSync(resolvePath('workspace'));
  writeFileSync(resolvePath('workspace/state.json'), '{"version":1}');
  const movedFolders = ['database', 'service', 'workspace'].map((name) => resolvePath(`${name}-earlier-1`));
  expect(await startAndListMovedFolders()).toEqual(movedFolders);
  expect(await readEarlierDatabase(resolvePath('database-earlier-1'))).toEqual(['of the app']);
  expect(await readEarlierDatabase(resolvePath('service-earlier-1'))).toEqual(['of the service']);
  // The key stays, so that the earlier version can still decrypt its data.
  expect(readFileSync(resolvePath('encryption-key'), 'utf8').trim()).toBe(key);
});

// All commands open the database in the same way, with `runOnDatabase`.
test('a command doesn’t move an earlier version’s data, and explains what to do', async () => {
  await createEarlierDatabase(resolvePath('database'), 'stored');
  const command = startEntry('cli/restored.ts');
  expect(await command.exit).toBe(1);
  expect(command.readOutput().trim()).toMatch(
    /^DATA_DIR: .*earlier version.*Nothing was changed: .*empty database\. `npm start` moves it aside.*$/,
  );
  expect(existsSync(resolvePath('database-earlier-1'))).toBe(false);
  expect(await readEarlierDatabase(resolvePath('database'))).toEqual(['stored']);
});
