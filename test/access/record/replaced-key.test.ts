import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { type AuditChain, createAuditChain, OLD, RECENT } from '../../support/audit-chain.ts';
import { createOnPostgres, onPostgres } from '../../support/databases.ts';

onPostgres((buildUrl) => {
  let db: Kysely<BotSchema>;
  let chain: AuditChain;
  let close: () => Promise<void> = async () => {};
  beforeEach(async () => {
    const database = await createOnPostgres(buildUrl);
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    chain = createAuditChain(db);
    close = async () => {
      await db.destroy();
      await database.close();
    };
  });
  afterEach(() => close());

  /** Calls `act` after the statement whose rows have this column. */
  const createHook = (column: string, act: () => Promise<void>): KyselyPlugin => ({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => column in row)) await act();
      return result;
    },
  });

  test('nothing is deleted once another instance has replaced the key during the scan', async () => {
    await chain.add([OLD, RECENT]);
    const afterPage = createHook('isOld', async () => {
      chain.loseKey();
      await chain.add([RECENT], 'T2');
    });
    await expect(chain.deleteOld(db.withPlugin(afterPage))).rejects.toThrow('the encrypted text was changed');
    expect(await chain.listSeqs()).toEqual([1, 2]);
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', deletedRows: 0 }, { kind: 'intact' }]);
  });

  test('an instance that replaces the key during a deletion waits for the checkpoint', async () => {
    await chain.add([OLD, RECENT]);
    let addition: Promise<void> | undefined;
    let isAdded = false;
    const countWaiting = async (): Promise<number> => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(db);
      return rows.length;
    };
    const duringBatch = createHook('before', async () => {
      chain.loseKey();
      addition = chain.add([RECENT], 'T2').then(() => {
        isAdded = true;
      });
      await vi.waitFor(async () => expect(isAdded || (await countWaiting()) > 0).toBe(true));
    });
    expect(await chain.deleteOld(db.withPlugin(duringBatch))).toEqual({ deleted: 1, errors: [] });
    await addition;
    expect(await chain.verify()).toMatchObject([{ kind: 'intact', deletedRows: 1 }, { kind: 'intact' }]);
  });
});
