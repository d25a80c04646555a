import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import { deleteAuditRecord } from '../../../src/access/record/delete-entries.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { onEveryDatabase, type TestDatabase } from '../../support/databases.ts';

const createTestEncryption = () =>
  createEncryption([{ id: randomBytes(4).toString('hex'), key: randomBytes(32) }]);

onEveryDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<BotSchema>;
  beforeEach(async () => {
    database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  const createTestRecord = (encryption: ReturnType<typeof createTestEncryption>) =>
    createAuditRecord({
      db,
      encryption,
      now: () => new Date(),
      onError: (error) => expect(error).toBeUndefined(),
    });
  const deleteRecord = (workspace: string, encryption: ReturnType<typeof createTestEncryption>) =>
    db.transaction().execute((transaction) => deleteAuditRecord({ db: transaction, encryption }, workspace));
  const entry = { actor: 'U1', action: 'roles give', decision: 'done' } as const;

  test('deleting an audit record restarts its chain, and does not affect other records', async () => {
    const encryption = createTestEncryption();
    const record = createTestRecord(encryption);
    for (const workspace of ['T1', 'T2', 'T1', 'T2']) await record.add({ ...entry, workspace });
    await deleteRecord('T1', encryption);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ workspace: 'T2', kind: 'intact', rows: 2 }]);
    // The same instance, which has the head of the chain in memory.
    await record.add({ ...entry, workspace: 'T1' });
    expect(await verifyRecord(db, encryption)).toMatchObject([
      { workspace: 'T1', kind: 'intact', rows: 1 },
      { workspace: 'T2', kind: 'intact', rows: 2 },
    ]);
    await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow('the audit log is append-only');
    await deleteRecord('T3', encryption);
  });

  test('after a record was deleted, rows with hashes of an earlier key are not reported as missing', async () => {
    const recordWithLostKey = createTestRecord(createTestEncryption());
    for (const workspace of ['T1', 'T2']) await recordWithLostKey.add({ ...entry, workspace });
    const encryption = createTestEncryption();
    await createTestRecord(encryption).add({ ...entry, workspace: 'T2' });
    await deleteRecord('T1', encryption);
    expect(await verifyRecord(db, encryption)).toMatchObject([
      { workspace: 'T2', kind: 'intact', rows: 2, unkeyedRows: 1 },
    ]);
  });

  test('a record can be deleted even if its key is lost', async () => {
    const recordWithLostKey = createTestRecord(createTestEncryption());
    await recordWithLostKey.add({ ...entry, workspace: 'T1' });
    await deleteRecord('T1', createTestEncryption());
    expect(await db.selectFrom('audit_entry').selectAll().execute()).toEqual([]);
  });
});
