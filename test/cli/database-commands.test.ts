import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { migrations } from '../../src/app/migrations.ts';
import { stopSending } from '../../src/engine/sending-stop.ts';
import { saveSealedValue } from '../../src/forms/sealed-store.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { insertSubmission } from '../../src/submissions/sql/insert.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';
import { saveInstallation, saveInstalledWorkspace } from '../../src/workspaces/sql/installations.ts';
import { forgetInstallation } from '../../src/workspaces/workspaces.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { findFreePort } from '../support/listening-port.ts';

let folder: string;

beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Inserts an unfinished submission, and a submission that was due a minute ago. */
async function insertSubmissions(): Promise<void> {
  const row = {
    workspace: 'T1',
    author: 'U1',
    kind: 'post',
    item: 0,
    revision: 0,
    channel: null,
    content: 'sealed',
  };
  const createdAt = new Date(Date.now() - 60_000);
  await useDatabase(async (db) => {
    await insertSubmission(db, { ...row, id: '1', origin: randomUUID(), createdAt });
    await insertSubmission(db, { ...row, id: '2', origin: randomUUID(), createdAt, publish_at: createdAt });
  });
}

async function useDatabase<T>(work: (db: Kysely<BotSchema>) => Promise<T>): Promise<T> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  const result = await work(db);
  await db.destroy();
  await close();
  return result;
}

/** Runs an operator's command on the database until it ends. */
async function runCommand(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const command = startCommand(`cli/${name}.ts`, { env: { DATA_DIR: folder, ...env }, args });
  return { status: await command.exit, output: command.readOutput() };
}
const runRestored = () => runCommand('restored', [], { LOG_LEVEL: 'warn' });
const runForgetWorkspace = (...args: string[]) => runCommand('forget-workspace', args);
const runHandOver = (...args: string[]) => runCommand('hand-over', args);
const runSending = (...args: string[]) => runCommand('sending', args);

test('after a restore, the command counts unfinished and overdue submissions, and retention starts again', async () => {
  await insertSubmissions();
  const readUninstallations = (db: Kysely<BotSchema>) =>
    db.selectFrom('uninstalled_workspace').select('uninstalled_at').execute();
  const uninstalledAt = new Date(0);
  await useDatabase((db) =>
    db
      .insertInto('uninstalled_workspace')
      .values({ workspace: 'T1', uninstalled_at: uninstalledAt })
      .execute(),
  );
  const startedAt = new Date();
  const { status, output } = await runRestored();
  expect(status).toBe(0);
  expect(output).toContain('Unfinished submissions: 1. They may have been sent since the backup.');
  expect(output).toContain('Overdue submissions: 1. Each author decides about them');
  const [row] = await useDatabase(readUninstallations);
  // A request of the workspace then shows at once that the app is back.
  expect(row?.uninstalled_at.getTime()).toBeGreaterThanOrEqual(startedAt.getTime() - 10 * 60_000);
});

test('a backup without unfinished submissions is reported as such', async () => {
  const { status, output } = await runRestored();
  expect([status, output]).toEqual([0, expect.stringContaining('no unfinished submissions')]);
});

test('if the database is down, the command fails at once, and names the setting but not its password', async () => {
  const port = await findFreePort();
  const command = startCommand('cli/restored.ts', {
    env: {
      ...{
        DATA_DIR: folder,
        LOG_LEVEL: 'error',
        ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 3).toString('base64')}`,
      },
      DATABASE_URL: `postgres://ana:hunter2@127.0.0.1:${port}/upnext`,
    },
  });
  expect(await command.exit).toBeTypeOf('number');
  expect(await command.exit).not.toBe(0);
  expect(command.readOutput()).toMatch(/^DATABASE_URL: .*\n$/);
  expect(command.readOutput()).not.toContain('hunter2');
});

/** Connects a service for the given workspaces. Returns all workspaces with a connection. */
async function connectServices(...workspaces: string[]): Promise<string[]> {
  return useDatabase(async (db) => {
    for (const workspace of workspaces) {
      await saveCredential(db, {
        id: workspace,
        workspace,
        project: '',
        connection: 'sealed',
        connected_by: 'U1',
        connected_at: new Date(),
      });
    }
    const rows = await db.selectFrom('credential').select('workspace').orderBy('workspace').execute();
    return rows.map(({ workspace }) => workspace);
  });
}

test('the command deletes the data of a workspace, and prints one line about the deleted data', async () => {
  expect(await connectServices('T1', 'T2')).toEqual(['T1', 'T2']);
  const output = 'Deleted the tokens, credentials, roles and contents of T1, and paused the digests there.\n';
  expect(await runForgetWorkspace('T1')).toEqual({ status: 0, output });
  expect(await connectServices()).toEqual(['T2']);
});

test('for an organisation, the command deletes the data of all its workspaces, with --all also what is usually retained', async () => {
  await useDatabase(async (db) => {
    const tokens = { tokens: 'sealed', expires_at: null, bot_user: 'U1', installed_by: 'U2' };
    await saveInstallation(db, { id: 'E1', name: '', ...tokens, installed_at: new Date() });
    await saveInstalledWorkspace(db, { workspace: 'T1', installation: 'E1' });
    await forgetInstallation(db, 'E1', new Date(), endDeliveries);
  });
  await connectServices('T1', 'T2');
  const output = 'Deleted all data of T1, including the audit log.\n';
  expect(await runForgetWorkspace('E1', '--all')).toEqual({ status: 0, output });
  expect(await connectServices()).toEqual(['T2']);
});

test('of a mistyped workspace, the command says that nothing is stored, and stores nothing about it', async () => {
  await connectServices('T1');
  const result = { status: 1, output: 'Nothing is stored about T2, so nothing was deleted.\n' };
  expect(await runForgetWorkspace('T2')).toEqual(result);
  expect(await runForgetWorkspace('T2', '--all')).toEqual(result);
  expect(await connectServices()).toEqual(['T1']);
});

test('without a workspace id, the command prints its usage', async () => {
  expect(await runForgetWorkspace('harbour')).toMatchObject({
    status: 2,
    output: expect.stringMatching(/^"harbour" is not a workspace ID\n\nUsage: npm run forget-workspace/),
  });
});

const keys = Object.fromEntries(['old', 'new', 'lost'].map((id) => [id, { id, key: randomBytes(32) }]));
const formatSetting = (...ids: string[]) =>
  ids.map((id) => `${id}:${keys[id]?.key.toString('base64')}`).join(',');

/** Stores one open form for each of these keys, sealed with the key. */
async function insertFormsSealedWith(...ids: string[]): Promise<void> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  for (const id of ids) {
    const key = keys[id];
    const content = createEncryption(key ? [key] : []).encrypt('what somebody wrote', 'T1');
    await saveSealedValue(db, {
      id,
      workspace: 'T1',
      author: 'U1',
      kind: 'k',
      content,
      storedAt: new Date(),
    });
  }
  await db.destroy();
  await close();
}

const rotate = (...ids: string[]) =>
  runCommand('rotate-keys', [], { LOG_LEVEL: 'warn', ENCRYPTION_KEYS: formatSetting(...ids) });

test('the command re-encrypts all values with the new key, so that the old key can be removed', async () => {
  await insertFormsSealedWith('old');
  expect(await rotate('new', 'old')).toEqual({
    status: 0,
    output:
      'Re-encrypted 1 values with the key "new".\nEverything is encrypted with this key. You can remove the other keys.\n',
  });
  expect((await rotate('new')).output).toContain('Everything is encrypted with this key');
});

test('the command names a missing key and the column that needs it, but prints no key', async () => {
  await insertFormsSealedWith('old', 'lost');
  const { status, output } = await rotate('new', 'old');
  expect(status).toBe(1);
  expect(output).toContain(
    'The key "lost" is missing in ENCRYPTION_KEYS: 1 values of open_form.content need it',
  );
  expect(output).not.toContain('You can remove');
  for (const { key } of Object.values(keys)) expect(output).not.toContain(key.toString('base64'));
});

test('a wrong key is an error before a database is opened', async () => {
  const DATA_DIR = join(folder, 'unused');
  const { status, output } = await runCommand('rotate-keys', [], { DATA_DIR, ENCRYPTION_KEYS: 'new:short' });
  expect([status, existsSync(DATA_DIR)]).toEqual([1, false]);
  expect(output).toContain('ENCRYPTION_KEYS');
});

test('hand-over says how many posts go over', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  expect(await runHandOver('--until', until)).toEqual({
    status: 0,
    output: 'Held posts that are due now: 0.\n',
  });
  await useDatabase((db) => stopSending(db, { reason: '', since: new Date() }));
  expect((await runHandOver('--until', until)).output).toContain('Sending is stopped, so none goes over');
});

test.each([
  [[], '--until needs a time with its zone'],
  [['--until', '2026-12-01T08:00'], '--until needs a time with its zone'],
  [['--until', '2026-11-31T08:00Z'], '--until needs a time with its zone'],
  [['--until', '2020-12-01T08:00Z'], 'has passed'],
])('hand-over with %j explains what it needs', async (args, problem) => {
  const { status, output } = await runHandOver(...args);
  expect(status).toBe(2);
  expect(output).toContain(problem);
  expect(output).toContain('Usage: npm run hand-over');
});

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
