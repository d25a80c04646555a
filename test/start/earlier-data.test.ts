import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedSecret } from '../../src/start/stored-secret.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { readEarlier, writeEarlier } from '../support/earlier-database.ts';

let folder: string;
const running: RunningCommand[] = [];
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await newDataFolder();
});
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.kill('SIGKILL');
    await command.ended;
  }
  rmSync(folder, { recursive: true });
});

function run(entry = 'main.ts', args: readonly string[] = []): RunningCommand {
  const ports = { PORT: '0', WORKSPACE_PORT: '0', SERVICE_PORT: '0' };
  const command = startCommand(entry, { env: { DATA_DIR: folder, LOG_LEVEL: 'warn', ...ports }, args });
  running.push(command);
  return command;
}

/** Starts the app and stops it once it is ready. Returns the folders to which it moved data, from its output. */
async function movedByStart(): Promise<string[]> {
  const command = run();
  await command.prints(/Upnext is ready/);
  command.kill();
  await command.ended;
  const lines = command
    .output()
    .split('\n')
    .filter((line) => line.includes('moved aside'));
  return lines.map((line) => String(/"to":"([^"]+)"/.exec(line)?.[1])).sort();
}

test('the app starts on an earlier version’s data, moves it aside, and says once where', async () => {
  await writeEarlier(at('database'), 'of the app');
  await writeEarlier(at('service'), 'of the service');
  const key = storedSecret(folder, 'encryption-key', () => Buffer.alloc(32, 7).toString('base64'));
  mkdirSync(at('workspace'));
  writeFileSync(at('workspace/state.json'), '{"version":1}');
  const aside = ['database', 'service', 'workspace'].map((name) => at(`${name}-earlier-1`));
  expect(await movedByStart()).toEqual(aside);
  expect(await readEarlier(at('database-earlier-1'))).toEqual(['of the app']);
  expect(await readEarlier(at('service-earlier-1'))).toEqual(['of the service']);
  // The key stays, so that the earlier version can still decrypt its data.
  expect(readFileSync(at('encryption-key'), 'utf8').trim()).toBe(key);
  expect(await movedByStart(), 'started again').toEqual([]);
}, 120_000);

test('data that was moved aside is never overwritten', async () => {
  await writeEarlier(at('database'), 'first');
  expect(await movedByStart()).toEqual([at('database-earlier-1')]);
  rmSync(at('database'), { recursive: true });
  await rename(await newDatabaseFolder(), at('database'));
  await writeEarlier(at('database'), 'second');
  expect(await movedByStart()).toEqual([at('database-earlier-2')]);
  expect(await readEarlier(at('database-earlier-1'))).toEqual(['first']);
  expect(await readEarlier(at('database-earlier-2'))).toEqual(['second']);
}, 120_000);

test.each([
  ['restored.ts', []],
  ['rotate-keys.ts', []],
  ['verify-record.ts', []],
  ['forget-workspace.ts', ['T1']],
  ['sending.ts', ['stop', 'why']],
])(
  'cli/%s does not move an earlier version’s data, and says what to do',
  async (entry, args) => {
    await writeEarlier(at('database'), 'kept');
    const command = run(`cli/${entry}`, args);
    expect(await command.ended).toBe(1);
    expect(command.output().trim()).toMatch(
      /^DATA_DIR: .*earlier version.*Nothing was changed: .*empty database\. `npm start` moves it aside.*$/,
    );
    expect(existsSync(at('database-earlier-1'))).toBe(false);
    expect(await readEarlier(at('database'))).toEqual(['kept']);
  },
  60_000,
);
