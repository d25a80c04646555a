import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_RETENTION_DAYS } from '../../../src/access/access.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { type AuditChain, createAuditChain, createFailure, OLD, RECENT } from '../../support/audit-chain.ts';
import { onEveryDatabase } from '../../support/databases.ts';

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  let chain: AuditChain;
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
    chain = createAuditChain(db);
    await chain.tamper(async () => {
      for (const table of ['audit_entry', 'audit_head', 'audit_checkpoint', 'shared_secret'] as const)
        await db.deleteFrom(table).execute();
    });
  });
  afterAll(() => close());

  test('entries are deleted after 400 days, and the others are verified from the last deleted one on', async () => {
    await chain.add([OLD, OLD, RECENT, OLD]);
    const [, second, third] = await chain.listRows();
    expect(await chain.deleteOld()).toEqual({ deleted: 2, errors: [] });
    await chain.add([new Date()]);
    expect(await chain.listSeqs()).toEqual([3, 4, 5]);
    const heads = [second, third].map((row) => ({
      workspace: 'T1',
      seq: row?.seq ?? 0,
      hash: row?.hash ?? '',
    }));
    expect(await chain.verify(heads)).toMatchObject([
      { kind: 'intact', rows: 5, deletedRows: 2, unkeyedRows: 0, uncheckedHeads: [] },
    ]);
    const otherHash = `hmac-sha256:${'0'.repeat(64)}`;
    expect(await chain.verify([{ workspace: 'T1', seq: 1, hash: otherHash }])).toMatchObject([
      { kind: 'intact', uncheckedHeads: [{ seq: 1 }] },
    ]);
    expect(await chain.verify([{ workspace: 'T1', seq: 2, hash: otherHash }])).toMatchObject([
      { kind: 'broken', seq: 2, fault: 'head-mismatch' },
    ]);
  });

  test('an audit log whose entries were all deleted stays intact, and continues', async () => {
    await chain.add([OLD, OLD]);
    expect(await chain.deleteOld()).toEqual({ deleted: 2, errors: [] });
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', rows: 2, deletedRows: 2 }]);
    await chain.add([OLD, RECENT]);
    expect(await chain.deleteOld()).toEqual({ deleted: 1, errors: [] });
    expect(await chain.listSeqs()).toEqual([4]);
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', rows: 4, deletedRows: 3 }]);
  });

  test('more entries than a batch has are deleted, of every workspace', async () => {
    await chain.add(Array.from({ length: 2_001 }, () => OLD));
    await chain.add([OLD, RECENT], 'T2');
    expect(await chain.deleteOld()).toEqual({ deleted: 2_002, errors: [] });
    expect(await chain.verify()).toMatchObject([
      { workspace: 'T1', kind: 'intact', rows: 2_001, deletedRows: 2_001 },
      { workspace: 'T2', kind: 'intact', rows: 2, deletedRows: 1 },
    ]);
  }, 60_000);

  describe('nothing is deleted, and other workspaces are not affected, after an attacker has', () => {
    const setCheckpoint = (values: { seq: number; hash: string; seal: string }) =>
      db
        .insertInto('audit_checkpoint')
        .values({ workspace: 'T1', ...values })
        .onConflict((conflict) => conflict.column('workspace').doUpdateSet(values))
        .execute();
    const ofT1 = (seq: number) => sql<boolean>`workspace = 'T1' and seq = ${seq}`;
    const tamperings: Record<string, (old: { seq: number; hash: string; seal: string }) => Promise<unknown>> =
      {
        'changed an old row': () =>
          db.updateTable('audit_entry').set({ actor: 'U9' }).where(ofT1(3)).execute(),
        'made a recent row old': () =>
          db.updateTable('audit_entry').set({ at: OLD }).where(ofT1(5)).execute(),
        'removed an old row': () => db.deleteFrom('audit_entry').where(ofT1(4)).execute(),
        'removed the oldest row': () => db.deleteFrom('audit_entry').where(ofT1(3)).execute(),
        'added a row before the oldest': () =>
          sql`insert into audit_entry select workspace, -7, at, 'U9', project, action, target, decision, reference,
          previous, hash from audit_entry where ${ofT1(3)}`.execute(db),
        'put a deleted row back': () =>
          sql`insert into audit_entry select workspace, 1, at, actor, project, action, target, decision, reference,
          previous, hash from audit_entry where ${ofT1(3)}`.execute(db),
        'forged a checkpoint at an existing row': async () => {
          const { hash } = (await chain.listRows())[0] ?? { hash: '' };
          await setCheckpoint({ seq: 3, hash, seal: hash });
          await db.deleteFrom('audit_entry').where(ofT1(3)).execute();
        },
        'removed the checkpoint': () => db.deleteFrom('audit_checkpoint').execute(),
        'put an old checkpoint back': (old) => setCheckpoint(old),
        'removed the newest rows': async () => {
          await db.deleteFrom('audit_entry').where(sql<boolean>`workspace = 'T1' and seq > 3`).execute();
          const { hash } = (await chain.listRows())[0] ?? { hash: '' };
          await db.updateTable('audit_head').set({ seq: 2, hash }).where('workspace', '=', 'T1').execute();
        },
        'removed the head': () => db.deleteFrom('audit_head').where('workspace', '=', 'T1').execute(),
      };
    test.each(Object.entries(tamperings))('%s', async (_, change) => {
      await chain.add([OLD]);
      await chain.deleteOld();
      const oldCheckpoint = await db
        .selectFrom('audit_checkpoint')
        .select(['seq', 'hash', 'seal'])
        .executeTakeFirstOrThrow();
      await chain.add([OLD]);
      await chain.deleteOld();
      await chain.add([OLD, OLD, RECENT]);
      await chain.add([OLD], 'T2');
      await chain.tamper(() => change(oldCheckpoint));
      const rows = await chain.listRows();
      expect(await chain.verify()).toMatchObject([{ kind: 'broken' }, { kind: 'intact' }]);
      const { deleted, errors } = await chain.deleteOld();
      expect(deleted).toBe(1);
      expect(errors).toEqual([expect.stringMatching(/T1: BrokenChain: the audit log is broken at row -?\d/)]);
      expect(await chain.listRows()).toEqual(rows);
      expect(await chain.listSeqs('T2')).toEqual([]);
      expect(await chain.verify()).toMatchObject([{ kind: 'broken' }, { kind: 'intact' }]);
    });
  });

  test('entries whose key is lost stay, and no key is created for their deletion', async () => {
    await chain.add([OLD, OLD]);
    await chain.deleteOld();
    await chain.add([OLD, RECENT]);
    chain.loseKey();
    const stored = await chain.readAll();
    await expect(chain.deleteOld()).rejects.toThrow('the encrypted text was changed');
    expect(await chain.readAll()).toEqual(stored);
    await chain.add([OLD], 'T2');
    await chain.add([OLD]);
    expect(await chain.deleteOld()).toEqual({ deleted: 1, errors: [] });
    expect(await chain.listSeqs()).toEqual([3, 4, 5]);
    expect(await chain.verify()).toMatchObject([
      { kind: 'intact', rows: 5, deletedRows: 2, unkeyedRows: 4 },
      { kind: 'intact', rows: 1, deletedRows: 1 },
    ]);
    await db.deleteFrom('shared_secret').execute();
    expect(await chain.deleteOld()).toEqual({ deleted: 0, errors: [] });
    expect(await db.selectFrom('shared_secret').selectAll().execute()).toEqual([]);
  });

  test('a beginning that was cut off after the key was lost is detected', async () => {
    await chain.add([OLD, OLD, OLD]);
    chain.loseKey();
    await chain.add([RECENT]);
    const { hash } = (await chain.listRows())[1] ?? { hash: '' };
    await db.insertInto('audit_checkpoint').values({ workspace: 'T1', seq: 2, hash, seal: hash }).execute();
    await db.deleteFrom('audit_entry').where('seq', '<', 2).execute();
    await db.deleteFrom('audit_entry').where('seq', '=', 2).execute();
    expect(await chain.verify()).toMatchObject([{ kind: 'broken', fault: 'checkpoint' }]);
  });

  test('an instance that is killed before any statement leaves the audit log intact', async () => {
    await chain.add([OLD, OLD, RECENT]);
    const stored = await chain.readAll();
    let failingStatement = 0;
    for (; ; failingStatement += 1) {
      const { plugin, isReached } = createFailure(failingStatement);
      const result = await chain.deleteOld(db.withPlugin(plugin)).catch(() => undefined);
      if (!isReached()) {
        expect(result).toEqual({ deleted: 2, errors: [] });
        break;
      }
      expect(await chain.readAll()).toEqual(stored);
    }
    expect(failingStatement).toBeGreaterThan(6);
    expect(await chain.listSeqs()).toEqual([3]);
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', deletedRows: 2 }]);
  });

  test('the age in the trigger is the age after which entries are deleted', async () => {
    const { rows } = await sql<{ source: string }>`
      select prosrc as source from pg_proc where proname = 'audit_log_append_only'`.execute(db);
    expect(rows).toEqual([{ source: expect.stringContaining(`interval '${ENTRY_RETENTION_DAYS} days'`) }]);
  });

  describe('the database refuses to', () => {
    const isCheckpoint = (seq: number, hash: string) =>
      db.insertInto('audit_checkpoint').values({ workspace: 'T1', seq, hash, seal: 'forged' }).execute();
    test.each<[string, (hashes: readonly string[]) => Promise<unknown>]>([
      ['delete old rows without a checkpoint', async () => {}],
      ['delete old rows before a checkpoint with another hash', () => isCheckpoint(2, 'other')],
      ['delete recent rows before a checkpoint', (hashes) => isCheckpoint(3, hashes[2] ?? '')],
      [
        'delete old rows because of another table of the same name',
        async (hashes) => {
          await sql`create temporary table audit_checkpoint as select 'T1' as workspace, 3 as seq,
            ${hashes[2]}::text as hash`.execute(db);
        },
      ],
    ])('%s', async (_, prepare) => {
      await chain.add([OLD, OLD, RECENT]);
      const hashes = (await chain.listRows()).map(({ hash }) => hash);
      await prepare(hashes);
      await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow('append-only');
      await expect(db.deleteFrom('audit_entry').where('seq', '=', 3).execute()).rejects.toThrow(
        'append-only',
      );
      expect(await chain.listSeqs()).toEqual([1, 2, 3]);
      await sql`drop table if exists pg_temp.audit_checkpoint`.execute(db);
    });
  });
});
