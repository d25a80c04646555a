import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteAuditRecord } from '../../../src/access/access.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createAuditChain, OLD, RECENT } from '../../support/audit-chain.ts';
import { createOnPostgres, onPostgres } from '../../support/databases.ts';

onPostgres((buildUrl) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let db: Kysely<BotSchema>;
  beforeEach(async () => {
    database = await createOnPostgres(buildUrl);
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  test('old entries are deleted once while three instances delete, and others append and verify', async () => {
    const chain = createAuditChain(db);
    await chain.add(Array.from({ length: 3_500 }, () => OLD));
    const append = async () => {
      for (let index = 0; index < 30; index += 1) await chain.add([RECENT, RECENT]);
    };
    const verify = async () => {
      for (let index = 0; index < 5; index += 1)
        expect(await chain.verify()).toMatchObject([{ kind: 'intact', uncheckedHeads: [] }]);
    };
    const [first, second, third] = await Promise.all([
      chain.deleteOld(),
      chain.deleteOld(),
      chain.deleteOld(),
      append(),
      append(),
      verify(),
    ]);
    expect([...first.errors, ...second.errors, ...third.errors]).toEqual([]);
    expect(first.deleted + second.deleted + third.deleted).toBe(3_500);
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', rows: 3_620, deletedRows: 3_500 }]);
  }, 60_000);

  test('a workspace can be forgotten while its old entries are deleted and new ones are appended', async () => {
    const chain = createAuditChain(db);
    for (let round = 0; round < 5; round += 1) {
      await chain.add(Array.from({ length: 1_500 }, () => OLD));
      const forget = () =>
        db
          .transaction()
          .execute((transaction) =>
            deleteAuditRecord({ db: transaction, encryption: chain.getEncryption() }, 'T1'),
          );
      const [{ errors }] = await Promise.all([
        chain.deleteOld(),
        forget(),
        chain.add([RECENT]),
        chain.deleteOld(),
        chain.add([RECENT]),
      ]);
      expect(errors).toEqual([]);
      const verifications = await chain.verify();
      expect(verifications.filter(({ kind }) => kind !== 'intact')).toEqual([]);
    }
  }, 60_000);

  test('a chain that is deleted and begun again in the meantime is not reported as broken', async () => {
    const chain = createAuditChain(db);
    await chain.add([OLD]);
    const forget = () =>
      db
        .transaction()
        .execute((transaction) =>
          deleteAuditRecord({ db: transaction, encryption: chain.getEncryption() }, 'T1'),
        );
    // The deletion first lists the chains with old entries, and then locks the head of each.
    const changes = [forget, () => chain.add([RECENT])];
    const changingDb = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await changes.shift()?.();
        return result;
      },
    });
    expect(await chain.deleteOld(changingDb)).toEqual({ deleted: 0, errors: [] });
    expect(changes).toEqual([]);
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', rows: 1 }]);
  });

  test('a connection that breaks during the deletion leaves everything as it was', async () => {
    const chain = createAuditChain(db);
    await chain.add([OLD, OLD, RECENT]);
    const stored = await chain.readAll();
    // The deletion waits in its last statements, and then its connection is closed.
    await db.transaction().execute(async (blocking) => {
      await sql`select from audit_entry where seq = 2 for update`.execute(blocking);
      const deletion = chain.deleteOld();
      await expect
        .poll(async () => {
          const { rows } = await sql<{
            pid: number;
          }>`select pid, pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(blocking);
          return rows.length;
        })
        .toBe(1);
      expect(await deletion).toMatchObject({ deleted: 0, errors: [expect.stringContaining('T1: ')] });
    });
    expect(await chain.readAll()).toEqual(stored);
    expect(await chain.deleteOld()).toEqual({ deleted: 2, errors: [] });
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', rows: 3, deletedRows: 2 }]);
  }, 60_000);
});
