import { randomBytes } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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

const entry = (target: string, workspace = 'T1'): AuditEntry => ({
  workspace,
  actor: 'U1',
  action: 'schedule-post view',
  target,
  decision: 'allowed',
});

/** Loses the answers of statements that add rows. The rows are added. */
function losingAnswers(): { plugin: KyselyPlugin; lose(times: number): void } {
  const adding = new WeakSet<object>();
  let left = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'RawNode') adding.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (!adding.has(queryId) || left === 0) return result;
      left -= 1;
      throw new Error('the connection was lost');
    },
  };
  return {
    plugin,
    lose(times) {
      left = times;
    },
  };
}

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

  function recordOn(on: Kysely<BotSchema>, more: Partial<Parameters<typeof createAuditRecord>[0]> = {}) {
    const faults: unknown[] = [];
    const counts: { waiting: number; dropped: number }[] = [];
    const record = createAuditRecord({
      db: on,
      encryption,
      now: () => new Date('2026-11-20T12:00:00.123Z'),
      onError: (error) => void faults.push(error),
      onQueueChange: (entries) => void counts.push(entries),
      // Tests trigger each retry themselves.
      backoffMs: 60_000,
      ...more,
    });
    return { record, faults, counts };
  }

  /** Runs `during` while writing to the record fails. */
  async function inOutage(during: () => Promise<unknown>): Promise<void> {
    await sql`alter table record rename to record_away`.execute(db);
    try {
      await during();
    } finally {
      await sql`alter table record_away rename to record`.execute(db);
    }
  }

  const targets = async (workspace = 'T1') =>
    (await listRowsAfter(db, { workspace, after: 0, limit: 1_000 })).map(({ target }) => target);

  test('entries of an outage wait without delaying anybody, and are recorded in order', async () => {
    const { record, faults, counts } = recordOn(db);
    await record.add(entry('before'));
    await inOutage(async () => {
      await record.add(entry('1'));
      await Promise.all(['2', '3'].map((target) => record.add(entry(target))));
      record.enqueue(entry('4', 'T2'));
      await record.flush();
    });
    expect(faults.length).toBeGreaterThan(0);
    expect(counts.at(-1)).toEqual({ waiting: 4, dropped: 0 });
    await record.flush();
    expect([await targets(), await targets('T2')]).toEqual([['before', '1', '2', '3'], ['4']]);
    expect(counts.at(-1)).toEqual({ waiting: 0, dropped: 0 });
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'intact' }, { kind: 'intact' }]);
  });

  test('failed writes are retried by themselves', async () => {
    const { record } = recordOn(db, { backoffMs: 1 });
    await inOutage(() => record.add(entry('1')));
    await vi.waitFor(async () => expect(await targets()).toEqual(['1']));
  });

  describe('a lost answer of the database', () => {
    test.each([1, 3])('does not record an entry twice (%i lost answers)', async (times) => {
      const { plugin, lose } = losingAnswers();
      const { record, faults } = recordOn(db.withPlugin(plugin));
      await record.add(entry('1'));
      lose(times);
      for (const target of ['2', '3', '4', '5']) {
        await record.add(entry(target));
        await record.flush();
      }
      await record.flush();
      expect(faults).toHaveLength(times);
      expect(await targets()).toEqual(['1', '2', '3', '4', '5']);
      expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'intact', rows: 5 }]);
    });

    test('does not record an entry twice after another instance has appended', async () => {
      const { plugin, lose } = losingAnswers();
      const { record } = recordOn(db.withPlugin(plugin));
      lose(1);
      await record.add(entry('1'));
      await recordOn(db).record.add(entry('other'));
      await record.add(entry('2'));
      await record.flush();
      expect(await targets()).toEqual(['1', 'other', '2']);
    });
  });

  test('beyond the limit the oldest entries are dropped, counted and reported', async () => {
    const reported: number[] = [];
    const { record, counts } = recordOn(db, {
      maxQueuedEntries: 3,
      onDropped: (entries) => void reported.push(entries),
    });
    await inOutage(async () => {
      for (const target of ['1', '2', '3', '4', '5']) await record.add(entry(target));
    });
    await record.flush();
    expect(await targets()).toEqual(['3', '4', '5']);
    expect(counts.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(2);
    // At most once a minute.
    expect(reported).toEqual([1]);
  });

  test('a database that hangs does not delay stopping, and the unwritten entries are returned', async () => {
    const hangs: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: () => new Promise(() => undefined),
    };
    const { record } = recordOn(db.withPlugin(hangs), { flushMs: 20 });
    record.enqueue(entry('1'));
    await record.flush();
    record.enqueue(entry('2'));
    expect(record.stop().map(({ target }) => target)).toEqual(['1', '2']);
  });
});
