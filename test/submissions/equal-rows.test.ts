import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import {
  insertSubmission,
  type NewSubmission,
  takeEqualPostsLock,
} from '../../src/submissions/sql/insert.ts';
import { hasNewerEqualRow } from '../../src/submissions/sql/submissions.ts';
import { onEveryDatabase } from '../support/databases.ts';

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
    const rows = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => insertRow(id)));
    await insertRow('holder', { locked: true, lock_key: 'taken' });
    await db.updateTable('submission').set({ fence: 7 }).where('id', '=', 'd').execute();
    await db.updateTable('submission').set({ state: 'discarded' }).where('id', '=', 'e').execute();
    const keys = ['same', 'same', 'taken', 'free d', 'free e'];
    const results = await Promise.all(
      rows.map((row, index) => takeEqualPostsLock(db, row, keys[index] ?? '')),
    );
    expect(results.slice(0, 2).filter(Boolean)).toHaveLength(1);
    expect(results.slice(2)).toEqual([false, false, false]);
    const takeFree = async (id: string) => takeEqualPostsLock(db, await insertRow(id), `free ${id}`);
    expect(await Promise.all([takeFree('f'), takeFree('g')])).toEqual([true, true]);
    const locked = await db
      .selectFrom('submission')
      .select(['lock_key'])
      .where('locked', '=', true)
      .execute();
    expect(locked.map(({ lock_key }) => lock_key).toSorted()).toEqual(['free f', 'free g', 'same', 'taken']);
  });

  test('a newer equal submission counts, whoever sent it', async () => {
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
    const results = await Promise.all(rows.map((row) => hasNewerEqualRow(db, row)));
    expect(results).toEqual([true, true, true, true, true, false, false]);
  });
});
