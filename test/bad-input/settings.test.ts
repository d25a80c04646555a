import { rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { findFreePort } from '../support/listening-port.ts';

// Invalid settings. The start fails with a non-zero status and prints one line that names the setting.

const KEY = `k:${Buffer.alloc(32, 3).toString('base64')}`;
const SERVICE = { SCHEDULING_API_TOKEN: 'a-token-that-is-long', ENCRYPTION_KEYS: KEY };
const BOT_TOKEN = 'xoxb-1234-5678-secretsecret';

interface Case {
  problem: string;
  name: string;
  env: Record<string, string>;
  /** A value that the line must not contain. */
  secret?: string;
}

const CASES: readonly Case[] = [
  {
    problem: 'missing secrets',
    name: 'SCHEDULING_API_TOKEN',
    env: { SCHEDULING_API_URL: 'https://posts.example.com', ENCRYPTION_KEYS: KEY },
  },
  {
    problem: 'empty secrets',
    name: 'SLACK_BOT_TOKEN',
    env: { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: 'xapp-1-A1-abcdefgh' },
  },
  {
    problem: 'blank secrets',
    name: 'SLACK_SIGNING_SECRET',
    env: { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_SIGNING_SECRET: '   ' },
    secret: 'secretsecret',
  },
  {
    problem: 'placeholder secrets',
    name: 'SLACK_BOT_TOKEN',
    env: { SLACK_BOT_TOKEN: 'xoxb-your-token-here' },
    secret: 'your-token',
  },
  {
    problem: 'a short key',
    name: 'ENCRYPTION_KEYS',
    env: { ...SERVICE, SCHEDULING_API_URL: 'https://posts.example.com', ENCRYPTION_KEYS: 'k:c2VjcmV0' },
    secret: 'c2VjcmV0',
  },
  {
    problem: 'half of Slack’s variables set',
    name: 'SLACK_APP_TOKEN',
    env: { SLACK_BOT_TOKEN: BOT_TOKEN, ENCRYPTION_KEYS: KEY },
    secret: 'secretsecret',
  },
  {
    problem: 'a base address with credentials',
    name: 'SCHEDULING_API_URL',
    env: { ...SERVICE, SCHEDULING_API_URL: 'https://ana:hunter2@posts.example.com' },
    secret: 'hunter2',
  },
  {
    problem: 'a base address with a query',
    name: 'SCHEDULING_API_URL',
    env: { ...SERVICE, SCHEDULING_API_URL: 'https://posts.example.com/?key=hunter2' },
    secret: 'hunter2',
  },
  {
    problem: 'a base address without TLS',
    name: 'SCHEDULING_API_URL',
    env: { ...SERVICE, SCHEDULING_API_URL: 'http://posts.example.com/' },
    secret: 'posts.example',
  },
];

const startedCommands: RunningCommand[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const command of startedCommands.splice(0)) {
    command.kill('SIGKILL');
    await command.exit;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs an entry point that must fail, and returns its only line of output. */
async function runToFailure(env: Record<string, string>, entry = 'main.ts', args: readonly string[] = []) {
  const ports = { PORT: '0', WORKSPACE_PORT: '0', SERVICE_PORT: '0', LOG_LEVEL: 'error' };
  const command = startCommand(entry, { env: { ...ports, ...env }, args });
  startedCommands.push(command);
  expect(await command.exit).not.toBe(0);
  expect(await command.exit).toBeTypeOf('number');
  const lines = command.readOutput().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

async function createFolder(): Promise<string> {
  const folder = await createDataFolder();
  folders.push(folder);
  return folder;
}

test.each(CASES)(
  'with $problem, the error names $name, and doesn’t contain the value',
  async ({ name, env, secret }) => {
    const line = await runToFailure(env);
    expect(line).toMatch(new RegExp(`^${name} `));
    if (secret !== undefined) expect(line).not.toContain(secret);
  },
);

test('the error names the command-line argument --zone for an invalid time zone', async () => {
  const command = startCommand('cli/when.ts', { args: ['tomorrow 9am', '--zone', 'Mars/Olympus'] });
  startedCommands.push(command);
  expect(await command.exit).toBe(2);
  expect(command.readOutput().trim().split('\n')[0]).toContain('--zone');
});

test('if the database is down, a command fails at once with an error that names DATABASE_URL', async () => {
  const port = await findFreePort();
  const url = `postgres://ana:hunter2@127.0.0.1:${port}/upnext`;
  const env = { DATA_DIR: await createFolder(), DATABASE_URL: url, ENCRYPTION_KEYS: KEY };
  // Unlike commands, the app waits up to five minutes for the database.
  const line = await runToFailure(env, 'cli/restored.ts');
  expect(line).toMatch(/^DATABASE_URL: /);
  expect(line).not.toContain('hunter2');
});

test('if the database has a newer schema, the error names DATA_DIR and the unknown migration', async () => {
  const folder = await createFolder();
  const { dialect, close } = await openPGlite(`${folder}/database`);
  const db = new Kysely({ dialect });
  await sql`create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  await sql`insert into kysely_migration values ('2999-01-01-later', '2999')`.execute(db);
  await db.destroy();
  await close();
  const line = await runToFailure({ DATA_DIR: folder });
  expect(line).toMatch(/^DATA_DIR: .*newer/);
  expect(line).toContain('2999-01-01-later');
});
