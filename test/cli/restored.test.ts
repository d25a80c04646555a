import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await newDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the backup held: one on its way, and one whose moment has passed since. */
async function backup(): Promise<void> {
  const row = {
    workspace: 'T1',
    author: 'U1',
    kind: 'post',
    item: 0,
    revision: 0,
    channel: null,
    content: 'sealed',
  };
  const at = new Date(Date.now() - 60_000);
  await inDatabase(async (db) => {
    await insertSubmission(db, { ...row, id: '1', origin: randomUUID(), at });
    await insertSubmission(db, { ...row, id: '2', origin: randomUUID(), at, publish_at: at });
  });
}

async function inDatabase<T>(work: (db: Kysely<BotSchema>) => Promise<T>): Promise<T> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  const result = await work(db);
  await db.destroy();
  await close();
  return result;
}

async function restored() {
  const command = startCommand('cli/restored.ts', { env: { DATA_DIR: folder, LOG_LEVEL: 'warn' } });
  return { status: await command.ended, output: command.output() };
}

test('after a backup was put back, one command says what it held, and sends nothing', async () => {
  await backup();
  const { status, output } = await restored();
  expect(status).toBe(0);
  expect(output).toContain('1 on their way when the backup was made: they may have been sent since.');
  expect(output).toContain('1 whose moment has passed since: each waits for its person');
});

test('whoever may have come back since the backup is kept from now on', async () => {
  const left = (db: Kysely<BotSchema>) => db.selectFrom('left_workspace').select('left_at').execute();
  const before = new Date(0);
  await inDatabase((db) =>
    db.insertInto('left_workspace').values({ workspace: 'T1', left_at: before }).execute(),
  );
  const startedAt = new Date();
  await restored();
  const [row] = await inDatabase(left);
  expect(row?.left_at.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
});

test('a backup that held nothing of the kind says so', async () => {
  const { status, output } = await restored();
  expect([status, output]).toEqual([0, expect.stringContaining('Nothing was on its way')]);
});
