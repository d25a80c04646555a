import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { insertSubmission } from '../../src/submissions/sql/insert.ts';
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

async function runRestored() {
  const command = startCommand('cli/restored.ts', { env: { DATA_DIR: folder, LOG_LEVEL: 'warn' } });
  return { status: await command.exit, output: command.readOutput() };
}

test('after a restore, the command counts unfinished and overdue submissions, and sends nothing', async () => {
  await insertSubmissions();
  const { status, output } = await runRestored();
  expect(status).toBe(0);
  expect(output).toContain('Unfinished submissions: 1. They may have been sent since the backup.');
  expect(output).toContain('Overdue submissions: 1. Each author decides about them');
});

test('after a restore, the retention period of uninstalled workspaces starts again', async () => {
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
  await runRestored();
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
