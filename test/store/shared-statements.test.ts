import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBatchedGrantsList, saveGrant } from '../../src/access/sql/grants.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createEqualPostsLock } from '../../src/submissions/sql/earlier-submissions.ts';
import {
  createNewerEqualRowCheck,
  insertSubmission,
  type NewSubmission,
} from '../../src/submissions/sql/submissions.ts';
import { createOnPostgres, onEveryDatabase, onPostgres } from '../support/databases.ts';

/** Statements that several rows share: each row gets its own result. */

const NOW = new Date('2026-11-20T12:00:00Z');

let db: Kysely<BotSchema>;

async function insertRow(id: string, fields: Partial<NewSubmission> = {}) {
  const position = { origin: `form ${id}`, item: 0, revision: 0, channel: null, content: null };
  const row = await insertSubmission(db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'post', createdAt: NOW, ...position },
    ...fields,
  });
  if (!row) throw new Error(`${id} wasn’t inserted`);
  return row;
}

onEveryDatabase((create) => {
  let close: () => Promise<void>;
  beforeEach(async () => {
    const database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    close = () => database.close();
  });
  afterEach(async () => {
    await db.destroy();
    await close();
  });

  test('of simultaneous equal submissions exactly one takes the lock, and others aren’t affected', async () => {
    const takeLock = createEqualPostsLock(db);
    const rows = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => insertRow(id)));
    await insertRow('holder', { locked: true, lock_key: 'taken' });
    await db.updateTable('submission').set({ fence: 7 }).where('id', '=', 'd').execute();
    await db.updateTable('submission').set({ state: 'discarded' }).where('id', '=', 'e').execute();
    const keys = ['same', 'same', 'taken', 'free d', 'free e'];
    const results = await Promise.all(rows.map((row, index) => takeLock(row, keys[index] ?? '')));
    expect(results.slice(0, 2).filter(Boolean)).toHaveLength(1);
    expect(results.slice(2)).toEqual([false, false, false]);
    const takeFree = async (id: string) => takeLock(await insertRow(id), `free ${id}`);
    expect(await Promise.all([takeFree('f'), takeFree('g')])).toEqual([true, true]);
    const locked = await db
      .selectFrom('submission')
      .select(['lock_key'])
      .where('locked', '=', true)
      .execute();
    expect(locked.map(({ lock_key }) => lock_key).toSorted()).toEqual(['free f', 'free g', 'same', 'taken']);
  });

  test('a newer equal submission counts for the author’s other forms, or for all authors', async () => {
    const hasNewer = createNewerEqualRowCheck(db);
    const later = new Date(NOW.getTime() + 1_000);
    const insertPair = async (name: string, newer: Partial<NewSubmission>) => {
      await insertRow(`${name} newer`, { fingerprint: name, createdAt: later, ...newer });
      return insertRow(name, { fingerprint: name });
    };
    const rows = [
      await insertPair('equal', {}),
      await insertPair('other author', { author: 'U2' }),
      await insertPair('other workspace', { workspace: 'T2' }),
      await insertPair('other kind', { kind: 'draft' }),
      await insertPair('same form', { origin: 'form same form', item: 1 }),
      await insertPair('not newer', { createdAt: NOW }),
      await insertRow('without a fingerprint', { fingerprint: null }),
    ];
    const [ofAuthor, ofAll] = await Promise.all([
      Promise.all(rows.map((row) => hasNewer(row, 'same-author'))),
      Promise.all(rows.map((row) => hasNewer(row, 'all-authors'))),
    ]);
    expect(ofAuthor).toEqual([true, false, false, false, false, false, false]);
    expect(ofAll).toEqual([true, true, true, true, true, false, false]);
  });

  test('simultaneous lookups of grants each get those of their own workspace', async () => {
    const listGrants = createBatchedGrantsList(db);
    const grant = {
      subjectKind: 'person',
      project: '',
      role: 'owner',
      reason: 'given',
      grantedBy: 'U0',
    } as const;
    for (const [workspace, subject] of [
      ['T1', 'U1'],
      ['T2', 'U2'],
      ['T1', 'U3'],
    ] as const)
      await saveGrant(db, { ...grant, workspace, subject, grantedAt: NOW });
    const lists = await Promise.all(['T1', 'T2', 'T3', 'T1'].map(listGrants));
    expect(lists.map((grants) => grants.map(({ subject }) => subject))).toEqual([
      ['U1', 'U3'],
      ['U2'],
      [],
      ['U1', 'U3'],
    ]);
  });
});

onPostgres((buildUrl) => {
  test('a row that a transaction holds doesn’t keep other rows from their locks', async () => {
    const database = await createOnPostgres(buildUrl);
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const takeLock = createEqualPostsLock(db);
    const [held, ...others] = await Promise.all(['a', 'b', 'c'].map((id) => insertRow(id)));
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('submission').select('id').where('id', '=', 'a').forUpdate().execute();
      const rows = held ? [held, ...others] : [];
      expect(await Promise.all(rows.map((row) => takeLock(row, row.id)))).toEqual([false, true, true]);
    });
    expect(held && (await takeLock(held, 'a'))).toBe(true);
    await db.destroy();
    await database.close();
  });
});
