import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { migrations } from '../../src/app/migrations.ts';
import { DAY_MS } from '../../src/durations.ts';
import { addMs } from '../../src/engine/clock.ts';
import { resumeSending, stopAllSending, stopSending } from '../../src/engine/sending-stop.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { listInFlight, stopProject } from '../../src/submissions/project-stop.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { createOnPostgres, onEveryDatabase, onPostgres, type TestDatabase } from '../support/databases.ts';
import {
  createTestSubmissions,
  createWordService,
  createWordSubmission,
  QUICK_PACE,
} from '../support/word-submissions.ts';

const PROJECT = { workspace: 'T1', project: 'p1' };
const OTHER_PROJECT = { workspace: 'T1', project: 'p2' };
const PAGE = { offset: 0, limit: 100 };
const STOP = { reason: 'wrong copy', stoppedBy: 'UBEN' };
/** Enough for several statements that begin before the stop and several that begin after it. */
const ROW_COUNT = 60;

async function insertClaimedRow(db: Kysely<BotSchema>, project: string, now: Date) {
  const id = randomUUID();
  const row = await insertSubmission(db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'word', origin: id, item: 0, revision: 0 },
    ...{ channel: null, content: null, project, createdAt: now, leaseUntil: addMs(now, 60_000) },
  });
  if (!row) throw new Error('the row was not inserted');
  return row;
}

const createContext = (db: Kysely<BotSchema>) =>
  createTestSubmissions(db, createWordService().kind()).context;

onEveryDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<BotSchema>;
  beforeEach(async () => {
    database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  test('of many submissions that begin to be sent while a project is stopped, none begins after it', async () => {
    const context = createContext(db);
    const insert = () => insertClaimedRow(db, PROJECT.project, context.clock.readShared());
    const waitingRows = await Promise.all(Array.from({ length: ROW_COUNT }, insert));
    let begunCount = 0;
    let isStopped = false;
    const lateIds: string[] = [];
    const { promise: areSomeBegun, resolve: onSomeBegun } = Promise.withResolvers<void>();
    const { promise: stopEnd, resolve: onStopped } = Promise.withResolvers<void>();
    const beginRows = async () => {
      for (let row = waitingRows.pop(); row; row = waitingRows.pop()) {
        // On a busy machine, all rows could begin before the stop.
        if (begunCount > ROW_COUNT / 2) await stopEnd;
        const wasStopped = isStopped;
        const lease = await context.verbs.beginSending(row, 'sending');
        begunCount += 1;
        if (begunCount === ROW_COUNT / 4) onSomeBegun();
        if (lease && wasStopped) lateIds.push(row.id);
      }
    };
    const senders = Array.from({ length: 8 }, beginRows);
    await areSomeBegun;
    await stopProject(context, PROJECT, STOP);
    isStopped = true;
    onStopped();
    const sendingIds = (await listInFlight(context, PROJECT, PAGE)).map(({ id }) => id).toSorted();
    waitingRows.push(...(await Promise.all([insert(), insert(), insert()])));
    await Promise.all([...senders, beginRows()]);
    expect(lateIds).toEqual([]);
    // All that became `sending` did so before the person read that the project is stopped.
    expect((await listInFlight(context, PROJECT, PAGE)).map(({ id }) => id).toSorted()).toEqual(sendingIds);
    expect(sendingIds.length).toBeGreaterThan(0);
    expect(sendingIds.length).toBeLessThan(ROW_COUNT);
  });

  test('a stop of a project leaves other projects alone', async () => {
    const context = createContext(db);
    await stopProject(context, PROJECT, STOP);
    const [stoppedRow, otherRow] = [
      await insertClaimedRow(db, PROJECT.project, context.clock.readShared()),
      await insertClaimedRow(db, OTHER_PROJECT.project, context.clock.readShared()),
    ];
    expect(await context.verbs.beginSending(stoppedRow, 'sending')).toBeUndefined();
    expect(await context.verbs.beginSending(otherRow, 'sending')).toBeDefined();
  });

  test('a second stop reports the first, and a resume ends only the stop that it is for', async () => {
    const context = createContext(db);
    const first = await stopProject(context, PROJECT, STOP);
    const second = await stopProject(context, PROJECT, { reason: 'later', stoppedBy: 'UANA' });
    expect(second).toMatchObject({ isNew: false, stop: { reason: 'wrong copy', stopped_by: 'UBEN' } });
    const { since } = first.stop;
    expect(
      await resumeSending(db, CAPABILITIES, context.clock.readShared(), {
        ...PROJECT,
        since: addMs(since, -1),
      }),
    ).toBe(false);
    expect(await resumeSending(db, CAPABILITIES, context.clock.readShared(), { ...PROJECT, since })).toBe(
      true,
    );
    expect(await resumeSending(db, CAPABILITIES, context.clock.readShared(), { ...PROJECT, since })).toBe(
      false,
    );
  });

  test.each([
    ['its project', PROJECT],
    ['all sending', undefined],
  ])(
    'while %s is stopped, a submission waits longer than 24 hours, also if Upnext didn’t run meanwhile',
    async (_what, project) => {
      const service = createWordService();
      service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
      const kind = service.kind();
      const { submissions, context } = createTestSubmissions(db, kind, { pace: { giveUpMs: DAY_MS } });
      submissions.start();
      if (project) await stopProject(context, project, STOP);
      else await stopAllSending(db, CAPABILITIES, { reason: '', since: context.clock.readShared() });
      await saveAndSend(context, kind, [createWordSubmission('patient')]);
      // It isn't looked at all the time.
      const readWaitMs = async () => {
        const row = await db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
        return row.lease_until ? 0 : (row.next_at?.getTime() ?? 0) - row.changed_at.getTime();
      };
      await expect.poll(readWaitMs).toBeGreaterThanOrEqual(QUICK_PACE.probeIntervalMs);
      const now = context.clock.readShared();
      await db
        .updateTable('submission')
        .set({ retrying_since: addMs(now, -DAY_MS - 1), changed_at: now, next_at: now })
        .execute();
      context.verbs.wake(now);
      await expect.poll(readWaitMs).toBeGreaterThanOrEqual(QUICK_PACE.probeIntervalMs);
      await resumeSending(db, CAPABILITIES, context.clock.readShared(), project);
      context.verbs.wake();
      // Its first call fails, and is retried.
      await expect.poll(() => service.sentTexts).toEqual(['patient', 'patient']);
      await submissions.stop();
    },
  );
});

onPostgres((buildUrl) => {
  test.each([
    ['with the end of all claims, none of them sends after the stop', stopProject, 0],
    // A control: a stop alone isn't seen by a statement that began before it.
    ['without the end of all claims, one of them could', insertStopOnly, 1],
  ])('submissions share a statement that began before the stop: %s', async (_title, stop, sentCount) => {
    const database = await createOnPostgres(buildUrl);
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const context = createContext(db);
    const otherRow = await insertClaimedRow(db, OTHER_PROJECT.project, context.clock.readShared());
    const row = await insertClaimedRow(db, PROJECT.project, context.clock.readShared());
    const lock = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: onLocked } = Promise.withResolvers<void>();
    const locking = db.transaction().execute(async (trx) => {
      await trx.selectFrom('submission').select('id').where('id', '=', otherRow.id).forUpdate().execute();
      onLocked();
      await lock.promise;
    });
    await isLocked;
    // Both are in one statement, which waits for the lock of the first row, and has its snapshot already.
    const sends = [otherRow, row].map((claimedRow) => context.verbs.beginSending(claimedRow, 'sending'));
    await expect.poll(() => countWaitingForLock(db)).toBe(1);
    await stop(context, PROJECT, STOP);
    lock.resolve();
    await locking;
    expect(await sends[0]).toBeDefined();
    expect((await sends[1]) ? 1 : 0).toBe(sentCount);
    await db.destroy();
    await database.close();
  });
});

async function insertStopOnly(
  { db, clock }: Pick<ReturnType<typeof createContext>, 'db' | 'clock'>,
  project: typeof PROJECT,
  { reason, stoppedBy }: typeof STOP,
): Promise<void> {
  await stopSending(db, { reason, since: clock.now(), stoppedBy }, project);
}

async function countWaitingForLock(db: Kysely<BotSchema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
