import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { stopSending } from '../../src/engine/sending-stop.ts';
import { saveSealedValue } from '../../src/forms/sealed-store.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';
import { saveInstallation, saveInstalledWorkspace } from '../../src/workspaces/sql/installations.ts';
import { saveUninstalledWorkspaces } from '../../src/workspaces/sql/uninstalled-workspaces.ts';
import { forgetInstallation } from '../../src/workspaces/workspaces.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { createOnPostgres, findPostgres, openWithTables } from '../support/databases.ts';
import { findFreePort } from '../support/listening-port.ts';
import { openPGlite } from '../support/open-pglite.ts';
import { runScript } from '../support/run-script.ts';
import { recordAllStatements } from '../support/sent-statements.ts';
import { createTestFolder } from '../support/test-folder.ts';

const keys = Object.fromEntries(['old', 'new', 'lost'].map((id) => [id, { id, key: randomBytes(32) }]));
const formatSetting = (...ids: string[]) =>
  ids.map((id) => `${id}:${keys[id]?.key.toString('base64')}`).join(',');

/** Runs an operator's command on the database until it ends. */
async function runCommand(name: string, args: readonly string[], env: Record<string, string>) {
  const stopRecording = recordAllStatements();
  const ENCRYPTION_KEYS = formatSetting('new');
  const variables = { ENCRYPTION_KEYS, ...env };
  const { status, stdout, stderr } = await runScript(`src/cli/${name}.ts`, args, variables).finally(
    stopRecording,
  );
  return { status, output: stdout + stderr };
}

test('a command opens the built-in database in DATA_DIR', async () => {
  const DATA_DIR = await createDataFolder();
  const command = startCommand('cli/restored.ts', { env: { DATA_DIR, LOG_LEVEL: 'warn' } });
  expect(await command.exit).toBe(0);
  expect(command.readOutput()).toContain('no unfinished submissions');
  rmSync(DATA_DIR, { recursive: true });
});

describe('on Postgres, or on the built-in database if Postgres isn’t installed', () => {
  let db: Kysely<BotSchema>;
  let env: Record<string, string>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const buildUrl = findPostgres();
    const created = buildUrl && (await createOnPostgres(buildUrl));
    if (created) {
      ({ db, close } = await openWithTables(async () => created));
      env = { DATABASE_URL: created.url, LOG_LEVEL: 'warn' };
    } else {
      env = { DATA_DIR: await createDataFolder(), LOG_LEVEL: 'warn' };
      await openDataFolder();
    }
  });
  afterEach(async () => {
    await close();
    if (env.DATA_DIR !== undefined) rmSync(env.DATA_DIR, { recursive: true });
  });

  async function openDataFolder(): Promise<void> {
    const embedded = await openPGlite(join(env.DATA_DIR ?? '', 'database'));
    ({ db, close } = await openWithTables(async () => ({
      dialect: () => embedded.dialect,
      close: embedded.close,
    })));
  }

  const run = (name: string, ...args: string[]) => runWith({}, name, ...args);

  /** Runs a command. Meanwhile the built-in database is closed, because only one process may have it open. */
  async function runWith(settings: Record<string, string>, name: string, ...args: string[]) {
    if (env.DATA_DIR !== undefined) await close();
    const result = await runCommand(name, args, { ...env, ...settings });
    if (env.DATA_DIR !== undefined) await openDataFolder();
    return result;
  }

  test('after a restore, the command counts unfinished and overdue submissions, and retention starts again', async () => {
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
    await insertSubmission(db, { ...row, id: '1', origin: randomUUID(), createdAt });
    await insertSubmission(db, { ...row, id: '2', origin: randomUUID(), createdAt, publish_at: createdAt });
    await db
      .insertInto('uninstalled_workspace')
      .values({ workspace: 'T1', uninstalled_at: new Date(0) })
      .execute();
    const startedAt = new Date();
    const { status, output } = await run('restored');
    expect(status).toBe(0);
    expect(output).toContain('Unfinished submissions: 1. They may have been sent since the backup.');
    expect(output).toContain('Overdue submissions: 1. Each author decides about them');
    const uninstalled = await db
      .selectFrom('uninstalled_workspace')
      .select('uninstalled_at')
      .executeTakeFirst();
    // A request of the workspace then shows at once that the app is back.
    expect(uninstalled?.uninstalled_at.getTime()).toBeGreaterThanOrEqual(startedAt.getTime() - 10 * 60_000);
  });

  test('after a restore, the command says whose posts are missing, as far as the log knows', async () => {
    const insert = (id: string, at: Date) =>
      db
        .insertInto('audit_entry')
        .values({
          ...{ id, at, workspace: 'T1', actor: 'UANA', project: 'p1', action: 'held-posts save' },
          ...{ target: '', decision: 'done', reference: '' },
        })
        .execute();
    const backupAt = new Date(Date.now() - 60_000);
    await insert('before', backupAt);
    const entry = { level: 30, msg: 'audit entry', target: '', decision: 'done', reference: '' };
    const logged = (id: string, fields: object, at = new Date()) =>
      JSON.stringify({ ...entry, id, at, workspace: 'T1', actor: 'UANA', project: 'p1', ...fields });
    const folder = await createTestFolder('log');
    const path = join(folder, 'upnext.log');
    const lines = [
      logged('before', { action: 'held-posts save' }, backupAt),
      logged('long ago', { action: 'held-posts save' }, new Date(0)),
      `upnext-1  | ${logged('1', { action: 'held-posts save' })}`,
      logged('2', { action: 'held-posts save' }),
      logged('3', { action: 'series save', actor: 'UBEN' }),
      logged('4', { action: 'audit command audit', actor: 'UEVA' }),
      'not JSON, but an audit entry',
    ];
    writeFileSync(path, lines.join('\n'));
    const { status, output } = await run('restored', '--log', path);
    expect(status).toBe(0);
    expect(output).toContain('Saved after the backup and missing now');
    expect(output).toMatch(/ {2}T1 UANA, project p1: saved posts 2 times, last at \d{4}-/);
    expect(output).toMatch(/ {2}T1 UBEN, project p1: saved a series 1 time, last at/);
    expect(output).not.toContain('UEVA');
    expect((await run('restored')).output).toContain('are missing. To learn whose');
  });

  /** Connects a service for the given workspaces. Returns all workspaces with a connection. */
  async function connectServices(...workspaces: string[]): Promise<string[]> {
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
  }

  test('the command deletes the data of a workspace, and prints one line about the deleted data', async () => {
    expect(await connectServices('T1', 'T2')).toEqual(['T1', 'T2']);
    const output =
      'Deleted the tokens, credentials, roles and contents of T1, and paused the digests there.\n';
    expect(await run('forget-workspace', 'T1')).toEqual({ status: 0, output });
    expect(await connectServices()).toEqual(['T2']);
  });

  test('for an organisation, the command deletes the data of all its workspaces, with --all also what is usually retained', async () => {
    const tokens = { tokens: 'sealed', expires_at: null, bot_user: 'U1', installed_by: 'U2' };
    await saveInstallation(db, { id: 'E1', name: '', ...tokens, installed_at: new Date() });
    await saveInstalledWorkspace(db, { workspace: 'T1', installation: 'E1' });
    await forgetInstallation(db, 'E1', new Date(), endDeliveries);
    await connectServices('T1', 'T2');
    const output = 'Deleted all data of T1, including the audit log.\n';
    expect(await run('forget-workspace', 'E1', '--all')).toEqual({ status: 0, output });
    await saveUninstalledWorkspaces(db, ['T1'], 'E1');
    expect(await run('forget-workspace', 'E1', '--all')).toEqual({ status: 0, output });
    expect(await connectServices()).toEqual(['T2']);
  });

  test('of a mistyped workspace, the command says that nothing is stored, and stores nothing about it', async () => {
    await connectServices('T1');
    const result = { status: 1, output: 'Nothing is stored about T2, so nothing was deleted.\n' };
    expect(await run('forget-workspace', 'T2')).toEqual(result);
    expect(await run('forget-workspace', 'T2', '--all')).toEqual(result);
    expect(await connectServices()).toEqual(['T1']);
  });

  /** Stores one open form for each of these keys, sealed with the key. */
  async function insertFormsSealedWith(...ids: string[]): Promise<void> {
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
  }

  const rotate = (...ids: string[]) => runWith({ ENCRYPTION_KEYS: formatSetting(...ids) }, 'rotate-keys');

  test('the command re-encrypts all values with the new key, so that the old key can be removed', async () => {
    await insertFormsSealedWith('old');
    expect(await rotate('new', 'old')).toEqual({
      status: 0,
      output:
        'Re-encrypted 1 value with the key "new".\nEverything is encrypted with this key. You can remove the other keys.\n',
    });
    expect((await rotate('new')).output).toContain('Everything is encrypted with this key');
  });

  test('the command names a missing key and the column that needs it, but prints no key', async () => {
    await insertFormsSealedWith('old', 'lost');
    const { status, output } = await rotate('new', 'old');
    expect(status).toBe(1);
    expect(output).toContain(
      'The key "lost" is missing in ENCRYPTION_KEYS: 1 value of open_form.content needs it',
    );
    expect(output).not.toContain('You can remove');
    for (const { key } of Object.values(keys)) expect(output).not.toContain(key.toString('base64'));
  });

  test('hand-over says how many posts go over', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
    expect(await run('hand-over', '--until', until)).toEqual({
      status: 0,
      output: 'Held posts that are due now: 0.\n',
    });
    await stopSending(db, { reason: '', since: new Date() });
    const { output } = await run('hand-over', '--until', until);
    expect(output).toContain('Sending is stopped, so none goes over');
    expect(await run('hand-over', '--until', '2020-12-01T08:00Z')).toEqual({
      status: 2,
      output: expect.stringMatching(/^2020\S+ has passed\n\nUsage: npm run hand-over/),
    });
  });

  test('stop-sending stops all sending, and explains how to resume it', async () => {
    const stopResult = await run('sending', 'stop', 'the', 'wrong', 'texts');
    expect(stopResult).toMatchObject({ status: 0, output: expect.stringContaining('the wrong texts') });
    expect(stopResult.output).toContain('npm run resume-sending');
  });

  test('what a command changes is in the audit log of each workspace, as done by an operator', async () => {
    await saveInstalledWorkspace(db, { workspace: 'T1', installation: 'T1' });
    await run('sending', 'stop');
    await run('restored');
    await run('sending', 'resume');
    await run('sending', 'resume');
    await run('forget-workspace', 'T1');
    const rows = await db
      .selectFrom('audit_entry')
      .select(['workspace', 'actor', 'action'])
      .orderBy('seq')
      .execute();
    const actions = ['stop-sending', 'restored', 'resume-sending', 'forget-workspace'];
    expect(rows).toEqual(
      actions.map((name) => ({ workspace: 'T1', actor: 'operator', action: `operator ${name}` })),
    );
  });

  test('after a restore, a stop is explained until resume-sending ends it', async () => {
    await run('sending', 'stop', 'the', 'wrong', 'texts');
    const restored = await run('restored');
    expect(restored.output).toContain('Sending is stopped, perhaps since before the backup');
    expect(restored.output).toContain('npm run resume-sending');
    expect(await run('sending', 'resume')).toEqual({ status: 0, output: 'Sending is resumed.\n' });
    expect((await run('restored')).output).not.toContain('stopped');
    expect(await run('sending', 'resume')).toEqual({ status: 0, output: 'Sending was not stopped.\n' });
  });
});

test('if the database is down, the command fails at once, and names the setting but not its password', async () => {
  const DATABASE_URL = `postgres://ana:hunter2@127.0.0.1:${await findFreePort()}/upnext`;
  const { status, output } = await runCommand('restored', [], { DATABASE_URL, LOG_LEVEL: 'error' });
  expect(status).toBe(1);
  expect(output).toMatch(/^DATABASE_URL: .*\n$/);
  expect(output).not.toContain('hunter2');
});

test('a wrong key is an error before a database is opened', async () => {
  const folder = await createTestFolder('data-');
  const { status, output } = await runCommand('rotate-keys', [], {
    DATA_DIR: folder,
    ENCRYPTION_KEYS: 'new:short',
  });
  expect([status, readdirSync(folder)]).toEqual([1, []]);
  expect(output).toContain('ENCRYPTION_KEYS');
  rmdirSync(folder);
});

const untilProblem = '--until needs a time with its zone';

test.each([
  ['hand-over', [], untilProblem],
  ['hand-over', ['--until', '2026-12-01T08:00'], untilProblem],
  ['hand-over', ['--until', '2026-11-31T08:00Z'], untilProblem],
  ['forget-workspace', ['harbour'], '"harbour" is not a workspace ID'],
  ['sending', ['pause'], 'The first argument must be stop or resume'],
])('%s with %j explains what it needs, and prints its usage', async (name, args, problem) => {
  const { status, output } = await runCommand(name, args, {});
  expect(status).toBe(2);
  expect(output).toContain(problem);
  expect(output).toMatch(/\n\nUsage: npm run /);
});
