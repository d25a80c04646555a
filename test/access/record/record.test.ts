import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import { listRowsAfter } from '../../../src/access/record/rows.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { onEveryDatabase } from '../../support/databases.ts';

const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);

const NOW = new Date('2026-11-20T12:00:00.123Z');

function entry(more: Partial<AuditEntry> = {}): AuditEntry {
  return { workspace: 'T1', actor: 'U1', action: 'schedule-post view', decision: 'allowed', ...more };
}

function recordOn(db: Kysely<BotSchema>) {
  const faults: unknown[] = [];
  const record = createAuditRecord({
    db,
    encryption,
    now: () => NOW,
    onError: (error) => void faults.push(error),
  });
  return { record, faults };
}

const rowsOf = (db: Kysely<BotSchema>, workspace = 'T1') =>
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
    await sql`alter table record disable trigger record_only_grows`.execute(db);
    await db.deleteFrom('record').execute();
    await db.deleteFrom('record_head').execute();
    await db.deleteFrom('shared_secret').execute();
    await sql`alter table record enable trigger record_only_grows`.execute(db);
  });
  afterAll(() => close());

  test('rows are numbered without gaps, and each has the hash of the previous one', async () => {
    const { record, faults } = recordOn(db);
    await Promise.all(
      Array.from({ length: 250 }, (_, index) => record.add(entry({ target: `row ${index}` }))),
    );
    const rows = await rowsOf(db);
    expect(faults).toEqual([]);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    expect(rows.slice(1).map(({ previous }) => previous)).toEqual(rows.slice(0, -1).map(({ hash }) => hash));
    expect(await verifyRecord(db, encryption)).toEqual([
      { workspace: 'T1', rows: 250, kind: 'intact', hash: rows.at(-1)?.hash, unkeyedRows: 0 },
    ]);
  });

  test('when two instances append to one chain at once, every row is there once', async () => {
    // Each has its own copy of the chain’s end in memory, as two processes would.
    const [one, other] = [recordOn(db), recordOn(db)];
    const added = Array.from({ length: 120 }, (_, index) =>
      (index % 2 === 0 ? one : other).record.add(entry({ target: String(index) })),
    );
    // One entry at a time, so that the two conflict again and again.
    for (let index = 0; index < 40; index += 1) {
      await Promise.all([
        one.record.add(entry({ target: `one ${index}` })),
        other.record.add(entry({ target: `other ${index}` })),
      ]);
    }
    await Promise.all(added);
    const rows = await rowsOf(db);
    expect([one.faults, other.faults]).toEqual([[], []]);
    expect(new Set(rows.map(({ target }) => target)).size).toBe(200);
    expect(rows).toHaveLength(200);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'intact', rows: 200 }]);
  });

  test('rows cannot be changed or removed', async () => {
    await recordOn(db).record.add(entry());
    await expect(db.updateTable('record').set({ actor: 'U2' }).execute()).rejects.toThrow('only grows');
    await expect(db.deleteFrom('record').execute()).rejects.toThrow('only grows');
    await expect(sql`truncate record`.execute(db)).rejects.toThrow('only grows');
    await expect(sql`truncate record_head, record cascade`.execute(db)).rejects.toThrow('only grows');
    expect(await rowsOf(db)).toHaveLength(1);
  });

  describe('tampering is detected', () => {
    const tampering: [string, number, string, (db: Kysely<BotSchema>) => Promise<unknown>][] = [
      [
        'a changed row',
        3,
        'changed',
        (db) => db.updateTable('record').set({ actor: 'U9' }).where('seq', '=', 3).execute(),
      ],
      [
        'another moment',
        4,
        'changed',
        (db) =>
          db
            .updateTable('record')
            .set({ at: new Date(0) })
            .where('seq', '=', 4)
            .execute(),
      ],
      ['a row that is gone', 3, 'missing', (db) => db.deleteFrom('record').where('seq', '=', 3).execute()],
      [
        'the first row gone',
        1,
        'missing',
        (db) => db.deleteFrom('record').where('seq', '=', 1).where('workspace', '=', 'T1').execute(),
      ],
      ['the last rows gone', 4, 'cut-off', (db) => db.deleteFrom('record').where('seq', '>', 3).execute()],
      [
        'two swapped rows',
        2,
        'changed',
        (db) =>
          sql`update record set seq = case seq when 2 then -3 else -2 end where seq in (2, 3)`
            .execute(db)
            .then(() => sql`update record set seq = -seq where seq < 0`.execute(db)),
      ],
      [
        'a changed row with a recomputed hash',
        4,
        'changed',
        (db) =>
          db
            .updateTable('record')
            .set({ decision: 'refused', hash: `hmac-sha256:${'f'.repeat(64)}` })
            .where('seq', '=', 4)
            .execute(),
      ],
    ];
    test.each(tampering)('%s: row %i', async (_name, seq, fault, tamper) => {
      const { record } = recordOn(db);
      for (let index = 0; index < 5; index += 1) await record.add(entry({ target: String(index) }));
      await record.add(entry({ workspace: 'T2' }));
      await sql`alter table record disable trigger record_only_grows`.execute(db);
      await tamper(db);
      expect(await verifyRecord(db, encryption)).toMatchObject([
        { workspace: 'T1', kind: 'broken', seq, fault },
        { workspace: 'T2', kind: 'intact', rows: 1 },
      ]);
    });
  });
});
