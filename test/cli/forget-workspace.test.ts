import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';
import { saveInstallation, saveInstalledWorkspace } from '../../src/workspaces/sql/installations.ts';
import { forgetInstallation } from '../../src/workspaces/workspaces.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

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

/** Runs `work` on the database of the data folder, which no other process has open. */
async function useDatabase<T>(work: (db: Kysely<BotSchema>) => Promise<T>): Promise<T> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  const result = await work(db);
  await db.destroy();
  await close();
  return result;
}

async function runForgetWorkspace(...args: string[]) {
  const command = startCommand('cli/forget-workspace.ts', { env: { DATA_DIR: folder }, args });
  const status = await command.exit;
  return { status, output: command.readOutput() };
}

test('the command deletes the data of a workspace, and prints one line about the deleted data', async () => {
  expect(await connectServices('T1', 'T2')).toEqual(['T1', 'T2']);
  const output = 'Deleted the tokens, credentials, roles and contents of T1, and paused its digests.\n';
  expect(await runForgetWorkspace('T1')).toEqual({ status: 0, output });
  expect(await connectServices()).toEqual(['T2']);
});

test('with --all, the command also deletes data that is usually retained for a while', async () => {
  await connectServices('T1', 'T2');
  const output = 'Deleted all data of T1, including the audit log.\n';
  expect(await runForgetWorkspace('T1', '--all')).toEqual({ status: 0, output });
  expect(await connectServices()).toEqual(['T2']);
});

test('for an organisation, the command deletes the data of all its workspaces', async () => {
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

test('without a workspace id, the command prints its usage', async () => {
  expect(await runForgetWorkspace('harbour')).toMatchObject({
    status: 2,
    output: expect.stringMatching(/^"harbour" is not a workspace ID\n\nUsage: npm run forget-workspace/),
  });
});
