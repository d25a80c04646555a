import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import { buildRows, CHAIN_START } from '../../../src/access/record/chain.ts';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import { listRowsAfter } from '../../../src/access/record/rows.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { onEveryDatabase, type TestDatabase } from '../../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00.123Z');
const createTestEncryption = () => createEncryption([{ id: 'test', key: randomBytes(32) }]);
const entry: AuditEntry = { workspace: 'T1', actor: 'U1', action: 'roles give', decision: 'done' };

onEveryDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<BotSchema>;
  let encryption = createTestEncryption();
  const openTestDatabase = () => openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  beforeEach(async () => {
    database = await create();
    encryption = createTestEncryption();
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  async function addEntries(count: number): Promise<void> {
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const record = createAuditRecord({ db, encryption, now: () => NOW, onError });
    for (let index = 0; index < count; index += 1) await record.add({ ...entry, target: String(index) });
  }
  const listRows = () => listRowsAfter(db, { workspace: 'T1', after: 0, limit: 100 });
  const readHead = async () => {
    const { workspace, seq, hash } = (await listRows()).at(-1) ?? { workspace: 'T1', ...CHAIN_START };
    return { workspace, seq, hash };
  };

  /** Rewrites the chain like an attacker who controls the database but has no key. */
  async function rewriteChain(
    rewriteRows: (rows: Awaited<ReturnType<typeof listRows>>) => Awaited<ReturnType<typeof listRows>>,
  ) {
    await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(db);
    await sql`alter table audit_entry drop constraint audit_entry_hash_is_hmac`.execute(db);
    const rewrittenRows = rewriteRows(await listRows());
    await db.deleteFrom('audit_entry').execute();
    await db.insertInto('audit_entry').values(rewrittenRows).execute();
    const last = rewrittenRows.at(-1);
    if (last) await db.updateTable('audit_head').set({ seq: last.seq, hash: last.hash }).execute();
  }

  test('a chain that was rewritten from its first row with another key is detected', async () => {
    db = await openTestDatabase();
    await addEntries(3);
    await rewriteChain(() => {
      const otherEntries = [1, 2, 3].map((target) => ({
        entry: { ...entry, actor: 'U9', target: String(target) },
        at: NOW,
      }));
      return buildRows(CHAIN_START, otherEntries, createSecretKey(randomBytes(32))).rows;
    });
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'broken', seq: 1, fault: 'changed' }]);
  }, 60_000);

  test('a chain that was rewritten with plain hashes is detected', async () => {
    db = await openTestDatabase();
    await addEntries(3);
    await rewriteChain((rows) => createUnkeyedRows(rows.length));
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'broken', seq: 1, fault: 'changed' }]);
  }, 60_000);

  test('a rewritten chain is detected even if the encrypted key was removed', async () => {
    db = await openTestDatabase();
    await addEntries(3);
    await rewriteChain((rows) => createUnkeyedRows(rows.length));
    await db.deleteFrom('shared_secret').execute();
    expect(await verifyRecord(db, encryption)).toMatchObject([{ rows: 3, unkeyedRows: 3 }]);
  }, 60_000);

  test('the database refuses a row without a keyed hash', async () => {
    db = await openTestDatabase();
    await addEntries(2);
    const rowWithoutKey = { ...createUnkeyedRows(1)[0], workspace: 'T1', seq: 3 } as Awaited<
      ReturnType<typeof listRows>
    >[number];
    await expect(db.insertInto('audit_entry').values(rowWithoutKey).execute()).rejects.toThrow(
      'audit_entry_hash_is_hmac',
    );
  }, 60_000);

  test('a chain must contain the head that was stored elsewhere', async () => {
    db = await openTestDatabase();
    await addEntries(2);
    const storedHead = await readHead();
    await addEntries(2);
    expect(await verifyRecord(db, encryption, [storedHead])).toMatchObject([{ kind: 'intact', rows: 4 }]);
    const changedHead = { ...storedHead, hash: `hmac-sha256:${'0'.repeat(64)}` };
    expect(await verifyRecord(db, encryption, [changedHead])).toMatchObject([
      { kind: 'broken', seq: 2, fault: 'head-mismatch' },
    ]);
    expect(await verifyRecord(db, encryption, [{ ...storedHead, seq: 9 }])).toMatchObject([
      { fault: 'cut-off' },
    ]);
    expect(await verifyRecord(db, encryption, [{ ...storedHead, workspace: 'T2' }])).toMatchObject([
      { workspace: 'T1', kind: 'intact' },
      { workspace: 'T2', kind: 'broken', fault: 'cut-off' },
    ]);
  }, 60_000);

  test('a chain without its key doesn’t count as intact, even after a new key was created', async () => {
    db = await openTestDatabase();
    await addEntries(2);
    encryption = createTestEncryption();
    await expect(verifyRecord(db, encryption)).rejects.toThrow('the encrypted text was changed');
    await addEntries(1);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ rows: 3, unkeyedRows: 2 }]);
  }, 60_000);
});

/** Creates rows with hashes that need no key, SHA-256 over the previous hash and the row. */
function createUnkeyedRows(count: number, actor = 'U1') {
  let previous = CHAIN_START.hash;
  return Array.from({ length: count }, (_, index) => {
    const row = { workspace: 'T1', seq: index + 1, at: NOW, actor, project: '', action: 'roles give' };
    const otherColumns = { target: String(index), decision: 'done', reference: '' };
    const text = [
      previous,
      'T1',
      row.seq,
      NOW.toISOString(),
      actor,
      '',
      row.action,
      otherColumns.target,
      'done',
      '',
    ];
    const hash = createHash('sha256').update(JSON.stringify(text)).digest('hex');
    const fullRow = { ...row, ...otherColumns, previous, hash };
    previous = hash;
    return fullRow;
  });
}
