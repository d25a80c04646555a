import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import { listRowsAfter } from '../../../src/access/record/rows.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { onEveryDatabase } from '../../support/databases.ts';

const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);

const NOW = new Date('2026-11-20T12:00:00.123Z');

function createEntry(fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    workspace: 'T1',
    actor: 'U1',
    action: 'schedule-post view schedule-post',
    decision: 'allowed',
    ...fields,
  };
}

function createTestRecord(db: Kysely<BotSchema>) {
  const errors: unknown[] = [];
  const record = createAuditRecord({
    db,
    encryption,
    now: () => NOW,
    onError: (error) => void errors.push(error),
  });
  return { record, errors };
}

const listRows = (db: Kysely<BotSchema>, workspace = 'T1') =>
  listRowsAfter(db, { workspace, after: 0, limit: 10_000 });

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  let close: () => Promise<void> = async () => {};
  beforeAll(async () => {
    const database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    close = async () => {
      await db.destroy();
      await database.close();
    };
  });
  beforeEach(async () => {
    await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(db);
    await db.deleteFrom('audit_entry').execute();
    await db.deleteFrom('audit_head').execute();
    await db.deleteFrom('shared_secret').execute();
    await sql`alter table audit_entry enable trigger audit_log_append_only`.execute(db);
  });
  afterAll(() => close());

  test('rows of the audit record are numbered without gaps, and each has the hash of the previous row', async () => {
    const { record, errors } = createTestRecord(db);
    await Promise.all(
      Array.from({ length: 250 }, (_, index) => record.add(createEntry({ target: `row ${index}` }))),
    );
    const rows = await listRows(db);
    expect(errors).toEqual([]);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    expect(rows.slice(1).map(({ previous }) => previous)).toEqual(rows.slice(0, -1).map(({ hash }) => hash));
    expect(await verifyRecord(db, encryption)).toMatchObject([
      { workspace: 'T1', rows: 250, kind: 'intact', hash: rows.at(-1)?.hash, unkeyedRows: 0 },
    ]);
  });

  test('if two instances append to one chain simultaneously, every row is stored once', async () => {
    // Each instance has its own copy of the chain’s head in memory, like separate processes.
    const [firstRecord, secondRecord] = [createTestRecord(db), createTestRecord(db)];
    const additions = Array.from({ length: 120 }, (_, index) =>
      (index % 2 === 0 ? firstRecord : secondRecord).record.add(createEntry({ target: String(index) })),
    );
    // Each instance adds one entry at a time, so that the two conflict repeatedly.
    for (let index = 0; index < 40; index += 1) {
      await Promise.all([
        firstRecord.record.add(createEntry({ target: `one ${index}` })),
        secondRecord.record.add(createEntry({ target: `other ${index}` })),
      ]);
    }
    await Promise.all(additions);
    const rows = await listRows(db);
    expect([firstRecord.errors, secondRecord.errors]).toEqual([[], []]);
    expect(new Set(rows.map(({ target }) => target)).size).toBe(200);
    expect(rows).toHaveLength(200);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'intact', rows: 200 }]);
  });

  test('instances that append to one chain wait for each other, and try at most twice', async () => {
    const attempts = new Map<number, number>();
    const instances = Array.from({ length: 8 }, (_, instance) =>
      createTestRecord(
        db.withPlugin({
          transformQuery({ node }) {
            const isAppending =
              node.kind === 'RawNode' && node.sqlFragments.join('').includes('insert into audit_entry');
            if (isAppending) attempts.set(instance, (attempts.get(instance) ?? 0) + 1);
            return node;
          },
          transformResult: async ({ result }) => result,
        }),
      ),
    );
    await Promise.all(
      instances.map(async ({ record }) => {
        for (let index = 0; index < 20; index += 1) await record.add(createEntry());
      }),
    );
    expect(instances.flatMap(({ errors }) => errors)).toEqual([]);
    expect(await listRows(db)).toHaveLength(160);
    expect(Math.max(...attempts.values())).toBeLessThanOrEqual(40);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'intact', rows: 160 }]);
  });

  test('rows of the audit record cannot be changed or removed', async () => {
    await createTestRecord(db).record.add(createEntry());
    await expect(db.updateTable('audit_entry').set({ actor: 'U2' }).execute()).rejects.toThrow('append-only');
    await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow('append-only');
    await expect(sql`truncate audit_entry`.execute(db)).rejects.toThrow('append-only');
    await expect(sql`truncate audit_head, audit_entry cascade`.execute(db)).rejects.toThrow('append-only');
    expect(await listRows(db)).toHaveLength(1);
  });

  describe('tampering with the audit record', () => {
    const tamperings: [string, number, string, (db: Kysely<BotSchema>) => Promise<unknown>][] = [
      [
        'a changed row',
        3,
        'changed',
        (db) => db.updateTable('audit_entry').set({ actor: 'U9' }).where('seq', '=', 3).execute(),
      ],
      [
        'a changed time',
        4,
        'changed',
        (db) =>
          db
            .updateTable('audit_entry')
            .set({ at: new Date(0) })
            .where('seq', '=', 4)
            .execute(),
      ],
      ['a removed row', 3, 'missing', (db) => db.deleteFrom('audit_entry').where('seq', '=', 3).execute()],
      [
        'a removed first row',
        1,
        'missing',
        (db) => db.deleteFrom('audit_entry').where('seq', '=', 1).where('workspace', '=', 'T1').execute(),
      ],
      [
        'removed last rows',
        4,
        'cut-off',
        (db) => db.deleteFrom('audit_entry').where('seq', '>', 3).execute(),
      ],
      [
        'two swapped rows',
        2,
        'changed',
        (db) =>
          sql`update audit_entry set seq = case seq when 2 then -3 else -2 end where seq in (2, 3)`
            .execute(db)
            .then(() => sql`update audit_entry set seq = -seq where seq < 0`.execute(db)),
      ],
      [
        'a changed row with a recomputed hash',
        4,
        'changed',
        (db) =>
          db
            .updateTable('audit_entry')
            .set({ decision: 'refused', hash: `hmac-sha256:${'f'.repeat(64)}` })
            .where('seq', '=', 4)
            .execute(),
      ],
    ];
    test.each(tamperings)('%s is detected at row %i', async (_name, seq, fault, tamper) => {
      const { record } = createTestRecord(db);
      for (let index = 0; index < 5; index += 1) await record.add(createEntry({ target: String(index) }));
      await record.add(createEntry({ workspace: 'T2' }));
      await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(db);
      await tamper(db);
      expect(await verifyRecord(db, encryption)).toMatchObject([
        { workspace: 'T1', kind: 'broken', seq, fault },
        { workspace: 'T2', kind: 'intact', rows: 1 },
      ]);
    });
  });
});
