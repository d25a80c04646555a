import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import { BEGIN, linked } from '../../../src/access/record/chain.ts';
import type { Entry } from '../../../src/access/record/entry.ts';
import { createRecord } from '../../../src/access/record/record.ts';
import { recordAfter } from '../../../src/access/record/rows.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { onEveryDatabase, type TestDatabase } from '../../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00.123Z');
const newEncryption = () => createEncryption([{ id: 'test', key: randomBytes(32) }]);
const entry: Entry = { workspace: 'T1', who: 'U1', action: 'roles give', decision: 'done' };

onEveryDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<BotSchema>;
  let encryption = newEncryption();
  const open = () => openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  beforeEach(async () => {
    database = await create();
    encryption = newEncryption();
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  async function add(count: number): Promise<void> {
    const failed = (error: unknown) => expect(error).toBeUndefined();
    const record = createRecord({ db, encryption, now: () => NOW, failed });
    for (let index = 0; index < count; index += 1) await record.add({ ...entry, target: String(index) });
  }
  const rows = () => recordAfter(db, { workspace: 'T1', after: 0, limit: 100 });
  const headOf = async () => {
    const { workspace, seq, hash } = (await rows()).at(-1) ?? { workspace: 'T1', ...BEGIN };
    return { workspace, seq, hash };
  };

  /** As somebody does who may do everything in the database, but has no key. */
  async function rewrite(hash: (from: Awaited<ReturnType<typeof rows>>) => Awaited<ReturnType<typeof rows>>) {
    await sql`alter table record disable trigger record_only_grows`.execute(db);
    await sql`alter table record drop constraint record_is_keyed`.execute(db);
    const rewritten = hash(await rows());
    await db.deleteFrom('record').execute();
    await db.insertInto('record').values(rewritten).execute();
    const last = rewritten.at(-1);
    if (last) await db.updateTable('record_head').set({ seq: last.seq, hash: last.hash }).execute();
  }

  test('a chain that was rewritten from the first row on, without the key, is found out', async () => {
    db = await open();
    await add(3);
    await rewrite(() => {
      const others = [1, 2, 3].map((target) => ({
        entry: { ...entry, who: 'U9', target: String(target) },
        at: NOW,
      }));
      return linked(BEGIN, others, randomBytes(32)).rows;
    });
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'broken', seq: 1, what: 'changed' }]);
  }, 60_000);

  test('and so is one that was rewritten with plain hashes', async () => {
    db = await open();
    await add(3);
    await rewrite((all) => unkeyed(all.length));
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'broken', seq: 1, what: 'changed' }]);
  }, 60_000);

  test('nor is it called whole where the sealed key was removed too', async () => {
    db = await open();
    await add(3);
    await rewrite((all) => unkeyed(all.length));
    await db.deleteFrom('shared_secret').execute();
    expect(await verifyRecord(db, encryption)).toMatchObject([{ rows: 3, unchecked: 3 }]);
  }, 60_000);

  test('the database takes no row without a keyed hash', async () => {
    db = await open();
    await add(2);
    const late = { ...unkeyed(1)[0], workspace: 'T1', seq: 3 } as Awaited<ReturnType<typeof rows>>[number];
    await expect(db.insertInto('record').values(late).execute()).rejects.toThrow('record_is_keyed');
  }, 60_000);

  test('a head that was kept elsewhere must still be in the chain', async () => {
    db = await open();
    await add(2);
    const kept = await headOf();
    await add(2);
    expect(await verifyRecord(db, encryption, [kept])).toMatchObject([{ kind: 'whole', rows: 4 }]);
    const another = { ...kept, hash: `hmac-sha256:${'0'.repeat(64)}` };
    expect(await verifyRecord(db, encryption, [another])).toMatchObject([
      { kind: 'broken', seq: 2, what: 'not-the-earlier-head' },
    ]);
    expect(await verifyRecord(db, encryption, [{ ...kept, seq: 9 }])).toMatchObject([{ what: 'cut-off' }]);
    expect(await verifyRecord(db, encryption, [{ ...kept, workspace: 'T2' }])).toMatchObject([
      { workspace: 'T1', kind: 'whole' },
      { workspace: 'T2', kind: 'broken', what: 'cut-off' },
    ]);
  }, 60_000);

  test('without its key nothing is called whole: after a new one either', async () => {
    db = await open();
    await add(2);
    encryption = newEncryption();
    await expect(verifyRecord(db, encryption)).rejects.toThrow('a sealed text was changed');
    await add(1);
    expect(await verifyRecord(db, encryption)).toMatchObject([{ rows: 3, unchecked: 2 }]);
  }, 60_000);
});

/** Rows without a key: SHA-256 over the row before and this one. */
function unkeyed(count: number, who = 'U1') {
  let previous = BEGIN.hash;
  return Array.from({ length: count }, (_, index) => {
    const row = { workspace: 'T1', seq: index + 1, at: NOW, who, project: '', action: 'roles give' };
    const rest = { target: String(index), decision: 'done', reference: '' };
    const text = [previous, 'T1', row.seq, NOW.toISOString(), who, '', row.action, rest.target, 'done', ''];
    const hash = createHash('sha256').update(JSON.stringify(text)).digest('hex');
    const whole = { ...row, ...rest, previous, hash };
    previous = hash;
    return whole;
  });
}
