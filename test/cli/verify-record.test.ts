import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createAuditRecord,
  createEncryption,
  deleteOldEntries,
  ENTRY_RETENTION_DAYS,
} from '../../src/access/access.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';

const KEY = randomBytes(32);
const encryption = createEncryption([{ id: 'test', key: KEY }]);
let folder: string;
beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function useDatabase(work: (db: Kysely<BotSchema>) => Promise<unknown>): Promise<void> {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  await work(db);
  await db.destroy();
  await close();
}

async function verify(...heads: string[]) {
  const command = startCommand('cli/verify-record.ts', {
    args: heads,
    env: { DATA_DIR: folder, LOG_LEVEL: 'warn', ENCRYPTION_KEYS: `test:${KEY.toString('base64')}` },
  });
  return { status: await command.exit, output: command.readOutput().trim() };
}

test('the command reports whether each audit record is intact, and exits with 1 if one is not', async () => {
  await useDatabase(async (db) => {
    const record = createAuditRecord({
      db,
      encryption,
      now: () => new Date(),
      onError: (error) => expect(error).toBeUndefined(),
    });
    const entry = { actor: 'U1', action: 'roles give', decision: 'done' } as const;
    for (const workspace of ['T1', 'T1', 'T1', 'T2']) await record.add({ ...entry, workspace });
  });
  const intactResult = await verify();
  expect(intactResult.status).toBe(0);
  expect(intactResult.output).toMatch(
    /^T1: intact, 3 rows, head T1:3:hmac-sha256:[0-9a-f]{64}\nT2: intact, 1 rows, head/,
  );
  expect(intactResult.output).toContain('Store the heads outside the database.');
  const [head = ''] = /T1:3:\S+/.exec(intactResult.output) ?? [];
  expect((await verify(head)).status).toBe(0);
  const mismatchResult = await verify(head.replace('T1:3:', 'T1:2:'));
  expect(mismatchResult).toMatchObject({
    status: 1,
    output: expect.stringContaining('row 2 (head-mismatch)'),
  });

  await useDatabase(async (db) => {
    await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(db);
    await sql`update audit_entry set actor = 'U2' where workspace = 'T1' and seq = 2`.execute(db);
  });
  const changedResult = await verify();
  expect(changedResult.status).toBe(1);
  expect(changedResult.output).toContain('T1: broken at row 2 (changed)');
  expect(changedResult.output).toContain('T2: intact');
}, 120_000);

test('the command reports an empty audit record', async () => {
  expect(await verify()).toEqual({ status: 0, output: 'The audit record is empty.' });
}, 60_000);

test('the command says that a head can’t be checked after its row was deleted because of its age', async () => {
  const ageMs = (ENTRY_RETENTION_DAYS + 8) * 24 * 60 * 60 * 1000;
  await useDatabase(async (db) => {
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const record = createAuditRecord({ db, encryption, now: () => new Date(), onError });
    const entry = { workspace: 'T1', actor: 'U1', action: 'roles give', decision: 'done' } as const;
    for (const at of [new Date(Date.now() - ageMs), new Date(Date.now() - ageMs), new Date()])
      await record.add({ ...entry, at });
    await deleteOldEntries({ db, encryption, onError, isStopped: () => false });
  });
  const result = await verify();
  expect(result).toMatchObject({
    status: 0,
    output: expect.stringContaining('T1: intact, 1 rows after row 2, head T1:3:hmac-sha256:'),
  });
  expect(await verify(`T1:1:hmac-sha256:${'0'.repeat(64)}`)).toMatchObject({
    status: 1,
    output: expect.stringContaining(
      "T1: head 1 can't be checked, because rows up to 2 were deleted after 400 days. Pass a newer head.",
    ),
  });
}, 120_000);
