import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { createAuditRecord } from '../../../src/access/record/record.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { emptyAuditRecord, listAuditRows } from '../../support/audit-record.ts';
import { onEveryDatabase, openWithTables } from '../../support/databases.ts';

const createEntry = (target: string, workspace = 'T1'): AuditEntry => ({
  workspace,
  actor: 'U1',
  action: 'schedule-post view schedule-post',
  target,
  decision: 'allowed',
});

/** Creates a database plugin that adds rows but loses the responses. */
function createResponseLoss(): { plugin: KyselyPlugin; loseResponses(times: number): void } {
  let remainingLosses = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (remainingLosses === 0) return result;
      remainingLosses -= 1;
      throw new Error('the connection was lost');
    },
  };
  return {
    plugin,
    loseResponses(times) {
      remainingLosses = times;
    },
  };
}

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  beforeAll(async () => {
    const opened = await openWithTables(create);
    db = opened.db;
    return opened.close;
  });
  beforeEach(() => emptyAuditRecord(db));

  function createTestRecord(
    recordDb: Kysely<BotSchema>,
    options: Partial<Parameters<typeof createAuditRecord>[0]> = {},
  ) {
    const errors: unknown[] = [];
    const counts: { waiting: number; dropped: number }[] = [];
    const record = createAuditRecord({
      db: recordDb,
      now: () => new Date('2026-11-20T12:00:00.123Z'),
      onError: (error) => void errors.push(error),
      onQueueChange: (entries) => void counts.push(entries),
      // Tests trigger each retry themselves.
      backoffMs: 60_000,
      ...options,
    });
    return { record, errors, counts };
  }

  /** Runs a function while writing to the record fails. */
  async function runDuringOutage(work: () => Promise<unknown>): Promise<void> {
    await sql`alter table audit_entry rename to audit_entry_away`.execute(db);
    try {
      await work();
    } finally {
      await sql`alter table audit_entry_away rename to audit_entry`.execute(db);
    }
  }

  const listTargets = async (workspace = 'T1') =>
    (await listAuditRows(db, workspace)).map(({ target }) => target);

  test('audit entries wait during an outage without delaying anybody, and are recorded in order', async () => {
    const { record, errors, counts } = createTestRecord(db);
    await record.add(createEntry('before'));
    await runDuringOutage(async () => {
      await record.add(createEntry('1'));
      await Promise.all(['2', '3'].map((target) => record.add(createEntry(target))));
      record.enqueue(createEntry('4', 'T2'));
      await record.flush();
    });
    expect(errors.length).toBeGreaterThan(0);
    expect(counts.at(-1)).toEqual({ waiting: 4, dropped: 0 });
    await record.flush();
    expect([await listTargets(), await listTargets('T2')]).toEqual([['before', '1', '2', '3'], ['4']]);
    expect(counts.at(-1)).toEqual({ waiting: 0, dropped: 0 });
  });

  test('failed writes of the audit log are retried automatically', async () => {
    const { record } = createTestRecord(db, { backoffMs: 1 });
    await runDuringOutage(() => record.add(createEntry('1')));
    await expect.poll(() => listTargets()).toEqual(['1']);
  });

  describe('a lost response of the database', () => {
    test.each([1, 3])(
      'an audit entry is not recorded twice after %i lost responses of the database',
      async (times) => {
        const { plugin, loseResponses } = createResponseLoss();
        const { record, errors } = createTestRecord(db.withPlugin(plugin));
        await record.add(createEntry('1'));
        loseResponses(times);
        for (const target of ['2', '3', '4', '5']) {
          await record.add(createEntry(target));
          await record.flush();
        }
        await record.flush();
        expect(errors).toHaveLength(times);
        expect(await listTargets()).toEqual(['1', '2', '3', '4', '5']);
      },
    );

    test('an audit entry with a lost response is not recorded twice, even after an entry of another instance', async () => {
      const { plugin, loseResponses } = createResponseLoss();
      const { record } = createTestRecord(db.withPlugin(plugin));
      await record.add(createEntry('0'));
      loseResponses(1);
      await record.add(createEntry('1'));
      await createTestRecord(db).record.add(createEntry('other'));
      await record.add(createEntry('2'));
      await record.flush();
      expect(await listTargets()).toEqual(['0', '1', 'other', '2']);
    });
  });

  test('beyond the limit of waiting audit entries the oldest are dropped, counted and reported', async () => {
    const droppedCounts: number[] = [];
    const { record, counts } = createTestRecord(db, {
      maxQueuedEntries: 3,
      onDropped: (entries) => void droppedCounts.push(entries),
    });
    await runDuringOutage(async () => {
      for (const target of ['1', '2', '3', '4', '5']) await record.add(createEntry(target));
    });
    await record.flush();
    expect(await listTargets()).toEqual(['3', '4', '5']);
    expect(counts.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(2);
    // Dropped entries are reported at most once a minute.
    expect(droppedCounts).toEqual([1]);
  });

  test('a database that hangs does not delay stopping, and the unwritten entries are returned', async () => {
    let isHanging = false;
    const hangingPlugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (isHanging ? new Promise(() => undefined) : result),
    };
    const { record } = createTestRecord(db.withPlugin(hangingPlugin), { flushMs: 20 });
    await record.add(createEntry('0'));
    isHanging = true;
    record.enqueue(createEntry('1'));
    await record.flush();
    record.enqueue(createEntry('2'));
    expect(record.stop().map(({ target }) => target)).toEqual(['1', '2']);
  });
});
