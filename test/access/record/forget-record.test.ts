import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import { deleteAuditRecord } from '../../../src/access/record/forget-record.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { onEveryDatabase, type TestDatabase } from '../../support/databases.ts';

const newEncryption = () => createEncryption([{ id: randomBytes(4).toString('hex'), key: randomBytes(32) }]);

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

  const recordBy = (encryption: ReturnType<typeof newEncryption>) =>
    createAuditRecord({
      ...{ db, encryption, now: () => new Date() },
      onError: (error) => expect(error).toBeUndefined(),
    });
  const forget = (workspace: string, encryption: ReturnType<typeof newEncryption>) =>
    db.transaction().execute((transaction) => deleteAuditRecord({ db: transaction, encryption }, workspace));
  const entry = { actor: 'U1', action: 'roles give', decision: 'done' } as const;

  test('deleting a record leaves the other records intact and starts its own chain anew, and rows cannot be deleted in any other way', async () => {
    const encryption = newEncryption();
    const record = recordBy(encryption);
    for (const workspace of ['T1', 'T2', 'T1', 'T2']) await record.add({ ...entry, workspace });
    await forget('T1', encryption);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ workspace: 'T2', kind: 'intact', rows: 2 }]);
    // The same instance, which has the end of the chain in memory.
    await record.add({ ...entry, workspace: 'T1' });
    expect(await verifyRecord(db, encryption)).toMatchObject([
      { workspace: 'T1', kind: 'intact', rows: 1 },
      { workspace: 'T2', kind: 'intact', rows: 2 },
    ]);
    await expect(db.deleteFrom('record').execute()).rejects.toThrow('the record only grows');
    await forget('T3', encryption);
  });

  test('rows from before the key are not reported as missing', async () => {
    const lost = recordBy(newEncryption());
    for (const workspace of ['T1', 'T2']) await lost.add({ ...entry, workspace });
    const encryption = newEncryption();
    await recordBy(encryption).add({ ...entry, workspace: 'T2' });
    await forget('T1', encryption);
    expect(await verifyRecord(db, encryption)).toMatchObject([
      { workspace: 'T2', kind: 'intact', rows: 2, unkeyedRows: 1 },
    ]);
  });

  test('a record can be deleted even if its key is lost', async () => {
    const lost = recordBy(newEncryption());
    await lost.add({ ...entry, workspace: 'T1' });
    await forget('T1', newEncryption());
    expect(await db.selectFrom('record').selectAll().execute()).toEqual([]);
  });
});
