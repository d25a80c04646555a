import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteAuditRecord, deleteOldEntries, ENTRY_RETENTION_DAYS } from '../../../src/access/access.ts';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { emptyAuditRecord, listAuditRows } from '../../support/audit-record.ts';
import { onEveryDatabase, openWithTables } from '../../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00.123Z');
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
const OLD = daysAgo(ENTRY_RETENTION_DAYS + 1);
const RECENT = daysAgo(ENTRY_RETENTION_DAYS - 1);

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
  const writtenIds: string[] = [];
  const record = createAuditRecord({
    db,
    now: () => NOW,
    onWritten: ({ id }) => void writtenIds.push(id),
    onError: (error) => void errors.push(error),
  });
  return { record, errors, writtenIds };
}

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  beforeAll(async () => {
    const opened = await openWithTables(create);
    db = opened.db;
    return opened.close;
  });
  beforeEach(() => emptyAuditRecord(db));

  const listTargets = async () => (await listAuditRows(db)).map(({ target }) => target);

  test('entries are stored in the order in which they were added, and each is reported once it is stored', async () => {
    const { record, errors, writtenIds } = createTestRecord(db);
    const targets = Array.from({ length: 250 }, (_, index) => `row ${index}`);
    await Promise.all(targets.map((target) => record.add(createEntry({ target }))));
    expect(errors).toEqual([]);
    expect(await listTargets()).toEqual(targets);
    expect((await listAuditRows(db)).map(({ id }) => id)).toEqual(writtenIds);
  });

  test('if two instances add entries simultaneously, every entry is stored once', async () => {
    const instances = [createTestRecord(db), createTestRecord(db)];
    await Promise.all(
      instances.map(async ({ record }, instance) => {
        for (let index = 0; index < 40; index += 1)
          await record.add(createEntry({ target: `${instance} ${index}` }));
      }),
    );
    expect(instances.flatMap(({ errors }) => errors)).toEqual([]);
    const targets = await listTargets();
    expect([targets.length, new Set(targets).size]).toEqual([80, 80]);
  });

  test('a text that no database can store is shortened or cleaned', async () => {
    const { record, errors } = createTestRecord(db);
    await record.add(createEntry({ target: `a\u0000b\ud800${'x'.repeat(400)}` }));
    expect(errors).toEqual([]);
    expect(await listTargets()).toEqual([`ab\ufffd${'x'.repeat(296)}`]);
  });

  test('rows of the audit log cannot be changed or removed', async () => {
    await createTestRecord(db).record.add(createEntry({ at: RECENT }));
    await expect(db.updateTable('audit_entry').set({ actor: 'U2' }).execute()).rejects.toThrow('append-only');
    await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow('append-only');
    await expect(sql`truncate audit_entry`.execute(db)).rejects.toThrow('append-only');
    expect(await listAuditRows(db)).toHaveLength(1);
  });

  describe('entries that are older than the retention period', () => {
    test('are deleted, of every workspace and in batches', async () => {
      const { record } = createTestRecord(db);
      const add = (times: readonly Date[], workspace: string) =>
        Promise.all(times.map((at) => record.add(createEntry({ at, workspace, target: at.toISOString() }))));
      await add([...Array.from({ length: 1_500 }, () => OLD), RECENT, NOW], 'T1');
      await add([OLD, NOW], 'T2');
      expect(await deleteOldEntries(db, () => false)).toBe(1_501);
      expect(await listTargets()).toEqual([RECENT, NOW, NOW].map((at) => at.toISOString()));
      expect(await deleteOldEntries(db, () => false)).toBe(0);
    });

    test('are left to the next scan after the instance is stopped', async () => {
      const { record } = createTestRecord(db);
      await Promise.all(Array.from({ length: 1_500 }, () => record.add(createEntry({ at: OLD }))));
      expect(await deleteOldEntries(db, () => true)).toBe(1_000);
    });

    test('have the same age in the trigger of the table', async () => {
      const { rows } = await sql<{ source: string }>`
        select prosrc as source from pg_proc where proname = 'audit_log_append_only'`.execute(db);
      expect(rows).toEqual([{ source: expect.stringContaining(`interval '${ENTRY_RETENTION_DAYS} days'`) }]);
    });
  });

  test('deleting the audit log of a workspace leaves the others, and new entries can be added', async () => {
    const deleteRecord = (workspace: string) =>
      db.transaction().execute((transaction) => deleteAuditRecord(transaction, workspace));
    const { record, errors } = createTestRecord(db);
    for (const workspace of ['T1', 'T2', 'T1']) await record.add(createEntry({ workspace }));
    await Promise.all([deleteRecord('T1'), deleteRecord('T3'), record.add(createEntry({ workspace: 'T2' }))]);
    await record.add(createEntry({ workspace: 'T1' }));
    expect(errors).toEqual([]);
    expect((await listAuditRows(db)).map(({ workspace }) => workspace)).toEqual(['T2', 'T2', 'T1']);
    await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow('the audit log is append-only');
  });
});
