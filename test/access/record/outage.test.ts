import { randomBytes } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEncryption } from '../../../src/access/encryption.ts';
import type { Entry } from '../../../src/access/record/entry.ts';
import { createRecord } from '../../../src/access/record/record.ts';
import { recordAfter } from '../../../src/access/record/rows.ts';
import { verifyRecord } from '../../../src/access/record/verify.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { onEveryDatabase } from '../../support/databases.ts';

const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);

const entry = (target: string, workspace = 'T1'): Entry => ({
  workspace,
  who: 'U1',
  action: 'schedule-post view',
  target,
  decision: 'allowed',
});

/** Answers of statements that add rows are lost on their way: the rows are there all the same. */
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

  function recordOn(on: Kysely<BotSchema>, more: Partial<Parameters<typeof createRecord>[0]> = {}) {
    const faults: unknown[] = [];
    const counts: { waiting: number; dropped: number }[] = [];
    const record = createRecord({
      db: on,
      encryption,
      now: () => new Date('2026-11-20T12:00:00.123Z'),
      failed: (error) => void faults.push(error),
      counted: (entries) => void counts.push(entries),
      // Tests say themselves when it is tried again.
      backoffMs: 60_000,
      ...more,
    });
    return { record, faults, counts };
  }

  /** The record cannot be written to while `during` runs. */
  async function inOutage(during: () => Promise<unknown>): Promise<void> {
    await sql`alter table record rename to record_away`.execute(db);
    try {
      await during();
    } finally {
      await sql`alter table record_away rename to record`.execute(db);
    }
  }

  const targets = async (workspace = 'T1') =>
    (await recordAfter(db, { workspace, after: 0, limit: 1_000 })).map(({ target }) => target);

  test('what happens in an outage waits, keeps nobody waiting, and is recorded in its order', async () => {
    const { record, faults, counts } = recordOn(db);
    await record.add(entry('before'));
    await inOutage(async () => {
      await record.add(entry('1'));
      await Promise.all(['2', '3'].map((target) => record.add(entry(target))));
      record.note(entry('4', 'T2'));
      await record.settled();
    });
    expect(faults.length).toBeGreaterThan(0);
    expect(counts.at(-1)).toEqual({ waiting: 4, dropped: 0 });
    await record.settled();
    expect([await targets(), await targets('T2')]).toEqual([['before', '1', '2', '3'], ['4']]);
    expect(counts.at(-1)).toEqual({ waiting: 0, dropped: 0 });
    expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'whole' }, { kind: 'whole' }]);
  });

  test('it is tried again by itself', async () => {
    const { record } = recordOn(db, { backoffMs: 1 });
    await inOutage(() => record.add(entry('1')));
    await vi.waitFor(async () => expect(await targets()).toEqual(['1']));
  });

  describe('the answer of the database is lost', () => {
    test.each([1, 3])('%i times: nothing is recorded twice', async (times) => {
      const { plugin, lose } = losingAnswers();
      const { record, faults } = recordOn(db.withPlugin(plugin));
      await record.add(entry('1'));
      lose(times);
      for (const target of ['2', '3', '4', '5']) {
        await record.add(entry(target));
        await record.settled();
      }
      await record.settled();
      expect(faults).toHaveLength(times);
      expect(await targets()).toEqual(['1', '2', '3', '4', '5']);
      expect(await verifyRecord(db, encryption)).toMatchObject([{ kind: 'whole', rows: 5 }]);
    });

    test('and another instance has added more meanwhile', async () => {
      const { plugin, lose } = losingAnswers();
      const { record } = recordOn(db.withPlugin(plugin));
      lose(1);
      await record.add(entry('1'));
      await recordOn(db).record.add(entry('other'));
      await record.add(entry('2'));
      await record.settled();
      expect(await targets()).toEqual(['1', 'other', '2']);
    });
  });

  test('beyond a bound the oldest are dropped, counted and told', async () => {
    const told: number[] = [];
    const { record, counts } = recordOn(db, {
      maxWaiting: 3,
      dropped: (entries) => void told.push(entries),
    });
    await inOutage(async () => {
      for (const target of ['1', '2', '3', '4', '5']) await record.add(entry(target));
    });
    await record.settled();
    expect(await targets()).toEqual(['3', '4', '5']);
    expect(counts.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(2);
    // Once a minute.
    expect(told).toEqual([1]);
  });

  test('a database that hangs holds up nobody who stops, and what is left is known', async () => {
    const hangs: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: () => new Promise(() => undefined),
    };
    const { record } = recordOn(db.withPlugin(hangs), { settleMs: 20 });
    record.note(entry('1'));
    await record.settled();
    record.note(entry('2'));
    expect(record.stop().map(({ target }) => target)).toEqual(['1', '2']);
  });
});
