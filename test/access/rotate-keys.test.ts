import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/encryption.ts';
import { ENCRYPTED_COLUMNS, rotateKeys } from '../../src/access/rotate-keys.ts';
import { saveSealedValue } from '../../src/forms/sealed-store.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';
import { saveInstallation } from '../../src/workspaces/sql/installations.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const OLD_KEY = { id: 'old', key: randomBytes(32) };
const NEW_KEY = { id: 'new', key: randomBytes(32) };
const NOW = new Date('2026-11-20T12:00:00Z');
const database = await setUpBotDatabase();

const FORM_COUNT = 450;

/** Inserts at least one row for every encrypted column. */
beforeEach(async () => {
  const { db } = database;
  for (const { table } of ENCRYPTED_COLUMNS) await sql`delete from ${sql.table(table)}`.execute(db);
  const { encrypt } = createEncryption([OLD_KEY]);
  await saveInstallation(db, {
    id: 'T1',
    name: 'Harbour Coffee',
    tokens: encrypt('{"bot":"xoxb-1"}', 'T1'),
    expires_at: null,
    bot_user: 'U1',
    installed_by: 'U2',
    installed_at: NOW,
  });
  for (const project of ['', 'p1']) {
    await saveCredential(db, {
      id: `c-${project}`,
      workspace: 'T1',
      project,
      connection: encrypt(`secret of ${project}`, 'T1', project),
      connected_by: 'U2',
      connected_at: NOW,
    });
  }
  const secret = { name: 'fingerprints', secret: encrypt('shared', '') };
  await db.insertInto('shared_secret').values(secret).execute();
  for (let index = 0; index < FORM_COUNT; index += 1) {
    const content = encrypt(`content ${index}`, 'T1');
    await saveSealedValue(db, {
      id: `f${index}`,
      workspace: 'T1',
      author: 'U2',
      kind: 'k',
      content,
      storedAt: NOW,
    });
  }
  await db
    .insertInto('submission')
    .values({
      id: 's1',
      workspace: 'T1',
      author: 'U2',
      kind: 'post',
      origin: 'f1',
      item: 0,
      revision: 1,
      state: 'refused',
      channel: null,
      content: encrypt('content', 'T1'),
      refusal: encrypt('refusal', 'T1'),
      created_at: NOW,
      changed_at: NOW,
    })
    .execute();
});

/** Counts the texts that each key has encrypted, in every text column of the database. */
async function countTextsByKey(): Promise<Record<string, number>> {
  const { db } = database;
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`.execute(db);
  const counts: Record<string, number> = {};
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await sql<{ key: string; rows: number }>`
      select split_part(${sql.ref(column)}, ':', 2) as key, count(*)::int as rows from ${sql.table(table)}
      where ${sql.ref(column)} ~ '^v1:[^:]+:[A-Za-z0-9+/=]{30,}$' group by 1`.execute(db);
    for (const { key, rows: count } of rows) counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}

const TEXT_COUNT = FORM_COUNT + 6;

describe('rotating the keys', () => {
  test('rotating the keys re-encrypts all tables, so that the old key can be removed', async () => {
    expect(await countTextsByKey()).toEqual({ old: TEXT_COUNT });
    expect(await rotateKeys(database.db, [NEW_KEY, OLD_KEY])).toEqual({
      rowCount: TEXT_COUNT,
      undecrypted: [],
    });
    expect(await countTextsByKey()).toEqual({ new: TEXT_COUNT });

    const { decrypt } = createEncryption([NEW_KEY]);
    const { db } = database;
    const credential = await db
      .selectFrom('credential')
      .selectAll()
      .where('project', '=', 'p1')
      .executeTakeFirst();
    expect(decrypt(credential?.connection ?? '', 'T1', 'p1')).toBe('secret of p1');
    expect(() => decrypt(credential?.connection ?? '', 'T1')).toThrow(
      'belongs to another workspace or project',
    );
    const form = await db.selectFrom('open_form').selectAll().where('id', '=', 'f449').executeTakeFirst();
    expect(decrypt(form?.content ?? '', 'T1')).toBe('content 449');
    expect(await rotateKeys(db, [NEW_KEY])).toEqual({ rowCount: 0, undecrypted: [] });
  });

  test('rotating the keys reports a missing key by id and table, and re-encrypts all other texts', async () => {
    const { encrypt } = createEncryption([{ id: 'lost', key: randomBytes(32) }]);
    const content = encrypt('x', 'T1');
    await saveSealedValue(database.db, {
      id: 'f0',
      workspace: 'T1',
      author: 'U2',
      kind: 'k',
      content,
      storedAt: NOW,
    });
    const result = await rotateKeys(database.db, [NEW_KEY, OLD_KEY]);
    expect(result).toEqual({
      rowCount: TEXT_COUNT - 1,
      undecrypted: [{ table: 'open_form.content', keyId: 'lost', isKeyMissing: true, rowCount: 1 }],
    });
  });

  test('rotating the keys reports a text that was moved to another workspace, and does not re-encrypt it', async () => {
    await database.db.updateTable('credential').set({ workspace: 'T2' }).where('project', '=', '').execute();
    const { undecrypted } = await rotateKeys(database.db, [NEW_KEY, OLD_KEY]);
    expect(undecrypted).toEqual([
      { table: 'credential.connection', keyId: 'old', isKeyMissing: false, rowCount: 1 },
    ]);
  });
});
