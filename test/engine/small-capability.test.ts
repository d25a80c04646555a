import { Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { Storage } from '../../src/engine/capability.ts';
import { buildDeliveryTable, type DeliveryRow } from '../../src/engine/columns.ts';
import type { Definition } from '../../src/engine/definition.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Lifecycle, StatesWith } from '../../src/engine/lifecycle.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { createTestClock } from '../support/test-clock.ts';

/** A minimal capability: posts that are held until shortly before they are published. */

type State = 'held' | 'handing-over' | 'unsure' | 'handed-over';
const lifecycle = {
  held: {
    nextStates: ['handing-over'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore: { to: 'unsure' },
  },
  'handing-over': {
    nextStates: ['handed-over', 'unsure'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore: { to: 'unsure' },
  },
  unsure: { nextStates: ['handed-over'], waitsFor: 'person', remote: 'unknown', notifies: true },
  'handed-over': { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: false },
} as const satisfies Lifecycle<State>;
type Sending = StatesWith<typeof lifecycle, 'sends', true>;
type HeldPost = DeliveryRow<State> & { text: string };

const PARKED_POSTS: Storage<State, HeldPost> = {
  table: 'parked_post',
  lifecycle,
  stopped: { state: 'held', reason: 'stopped' },
};

const [MINUTE_MS, SECOND_MS] = [60_000, 1_000];
const RETENTION_MS = 60 * MINUTE_MS;

type Overrides = Partial<
  Pick<Definition<State, Sending, HeldPost>, 'beforeScan' | 'creation' | 'load' | 'notifying'>
> & {
  /** What holds an instance up before it sends a message. */
  waitToAsk?(): Promise<void>;
  /** Called at the begin of each scan. */
  onScan?(): void;
  /** By how much the clock advances whenever it is read, ms. Defaults to 0. */
  msPerRead?: number;
};

function createHeldPosts(
  db: Kysely<BotSchema>,
  { waitToAsk, onScan, msPerRead = 0, ...overrides }: Overrides = {},
) {
  let clockMs = Date.parse('2026-11-20T12:00:00Z');
  const clock = () => {
    clockMs += msPerRead;
    return new Date(clockMs);
  };
  const handedOver: string[] = [];
  const questions: string[] = [];
  const errors: string[] = [];
  const recordError = (_fields: object, message: string) => void errors.push(message);
  const engine = createEngine({
    db,
    clock: {
      ...createTestClock(clock),
      async measure() {
        onScan?.();
        return true;
      },
    },
    isTemporary: () => false,
    log: { warn: recordError, error: recordError },
  });
  const verbs = engine.register<State, Sending, HeldPost>({
    storage: PARKED_POSTS,
    ms: { retention: RETENTION_MS, scanInterval: 10 * MINUTE_MS, maxStartDelay: 30 * SECOND_MS },
    load:
      async (_rows, { settle, beginSending }) =>
      async (row) => {
        // The instance that was handing over the post has ended.
        if (row.state === 'handing-over') return void (await settle(row, 'unsure'));
        const lease = await beginSending(row, 'handing-over');
        if (!lease?.permit.mayBegin()) return;
        handedOver.push(row.text);
        await settle(lease.row, 'handed-over');
      },
    notifying: {
      groupColumn: 'id',
      async notify([{ text }], attempt) {
        await waitToAsk?.();
        if (!(await attempt.begin())?.mayBegin()) return 'later';
        questions.push(text);
        return 'notified';
      },
    },
    ...overrides,
  });
  return {
    engine,
    verbs,
    errors,
    handedOver,
    questions,
    clock,
    advanceClock: (ms: number) => {
      clockMs += ms;
    },
  };
}

async function createParkedPosts(db: Kysely<BotSchema>) {
  for (const statement of buildDeliveryTable('parked_post', 'text text'))
    await sql.raw(statement).execute(db);
}

const database = await setUpBotDatabase();
beforeAll(async () => {
  await createParkedPosts(database.db);
});
beforeEach(async () => {
  await sql`delete from parked_post`.execute(database.db);
  await sql`delete from sending_stop`.execute(database.db);
});

async function insertHeldPost(text: string, nextAt: Date) {
  await sql`insert into parked_post (id, workspace, state, next_at, changed_at, text)
    values (${text}, 'T1', 'held', ${nextAt}, ${nextAt}, ${text})`.execute(database.db);
}

const listStates = async () => {
  const { rows } = await sql<{ state: string }>`select state from parked_post order by id`.execute(
    database.db,
  );
  return rows.map(({ state }) => state);
};

test('a hand-over that an instance abandoned is not repeated, and the author of the post is asked', async () => {
  const { engine, verbs, handedOver, questions, clock, advanceClock } = createHeldPosts(database.db);
  await insertHeldPost('cut off', clock());
  const { rows } = await sql<HeldPost>`select * from parked_post`.execute(database.db);
  for (const row of rows) await verbs.beginSending(row, 'handing-over');
  await engine.runOnce();
  expect(await listStates()).toEqual(['handing-over']);
  advanceClock(MINUTE_MS);
  await engine.runOnce();
  await engine.runOnce();
  expect([await listStates(), handedOver, questions]).toEqual([['unsure'], [], ['cut off']]);
});

test('of two simultaneous attempts to hand over a post, only one succeeds', async () => {
  const { verbs, clock } = createHeldPosts(database.db);
  await insertHeldPost('once', clock());
  const { rows } = await sql<HeldPost>`select * from parked_post`.execute(database.db);
  const results = await Promise.all(
    rows.flatMap((row) => [verbs.beginSending(row, 'handing-over'), verbs.beginSending(row, 'handing-over')]),
  );
  expect(results.map((lease) => lease !== undefined)).toEqual([true, false]);
});

async function insertQuestion(text: string, notifyAt: Date, db = database.db) {
  await sql`insert into parked_post (id, workspace, state, next_at, notify_at, changed_at, text)
    values (${text}, 'T1', 'unsure', null, ${notifyAt}, ${notifyAt}, ${text})`.execute(db);
}

test('an instance that was frozen before its message doesn’t send it after another instance has', async () => {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
  const { promise: frozen, resolve: freeze } = Promise.withResolvers<void>();
  const slow = createHeldPosts(database.db, {
    async waitToAsk() {
      freeze();
      await thawed;
    },
  });
  const other = createHeldPosts(database.db);
  await insertQuestion('sent?', slow.clock());
  const slowRun = slow.engine.runOnce();
  await frozen;
  for (const { advanceClock } of [slow, other]) advanceClock(2 * MINUTE_MS);
  await other.engine.runOnce();
  thaw();
  await slowRun;
  await slow.engine.runOnce();
  expect([slow.questions, other.questions]).toEqual([[], ['sent?']]);
});

test('a question that the database interrupted is asked later', async () => {
  const failures = [Object.assign(new Error('terminating connection'), { code: '57P01' })];
  const { engine, questions, clock, advanceClock } = createHeldPosts(database.db, {
    async waitToAsk() {
      const failure = failures.pop();
      if (failure) throw failure;
    },
  });
  await insertQuestion('sent?', clock());
  await engine.runOnce();
  expect(questions).toEqual([]);
  advanceClock(2 * MINUTE_MS);
  await engine.runOnce();
  expect(questions).toEqual(['sent?']);
});

test('two instances that look at the same moment ask once', async () => {
  const instances = [createHeldPosts(database.db), createHeldPosts(database.db)];
  for (const text of ['a', 'b', 'c']) await insertQuestion(text, instances[0]?.clock() ?? new Date());
  await Promise.all(instances.map(({ engine }) => engine.runOnce()));
  expect(instances.flatMap(({ questions }) => questions).toSorted()).toEqual(['a', 'b', 'c']);
});

test('after a shared message, each row is notified alone, and only those that failed again', async () => {
  const sent: string[] = [];
  let failures = 1;
  const { engine, clock, advanceClock } = createHeldPosts(database.db, {
    notifying: {
      groupColumn: 'workspace',
      splitBy: ({ text }) => text.slice(0, 1),
      async notify(rows, attempt) {
        const texts = rows.map(({ text }) => text).toSorted();
        if (texts.includes('a2') && texts.length === 1 && failures-- > 0) return 'later';
        if (!(await attempt.begin())?.mayBegin()) return 'later';
        sent.push(texts.join());
        return rows.length > 1 ? 'each' : 'notified';
      },
    },
  });
  for (const text of ['a1', 'a2', 'a3', 'b1']) await insertQuestion(text, clock());
  await engine.runOnce();
  expect(sent.toSorted()).toEqual(['a1', 'a1,a2,a3', 'a3', 'b1']);
  advanceClock(2 * MINUTE_MS);
  await engine.runOnce();
  expect(sent.slice(4)).toEqual(['a2']);
});

test('rows of one period are told together, although the clock goes on while they enter their state', async () => {
  const sent: number[] = [];
  const { engine, clock, advanceClock } = createHeldPosts(database.db, {
    msPerRead: 1,
    load:
      async (_rows, { settle, beginSending }) =>
      async (row) => {
        const lease = await beginSending(row, 'handing-over');
        if (lease) await settle(lease.row, 'unsure');
      },
    notifying: {
      groupColumn: 'workspace',
      getGroupMs: () => 10 * MINUTE_MS,
      async notify(rows) {
        sent.push(rows.length);
        return 'notified';
      },
    },
  });
  for (const text of ['a', 'b', 'c']) await insertHeldPost(text, clock());
  await engine.runOnce();
  const { rows } = await sql<HeldPost>`select notify_at from parked_post`.execute(database.db);
  const periodEnd = Date.parse('2026-11-20T12:10:00Z');
  expect(rows.map(({ notify_at }) => notify_at?.getTime())).toEqual([periodEnd, periodEnd, periodEnd]);
  advanceClock(10 * MINUTE_MS);
  await engine.runOnce();
  expect(sent).toEqual([3]);
});

test('a row that changes while a shared message is sent isn’t notified as it was', async () => {
  const sent: string[] = [];
  const { engine, clock } = createHeldPosts(database.db, {
    notifying: {
      groupColumn: 'workspace',
      async notify(rows) {
        sent.push(
          rows
            .map(({ text }) => text)
            .toSorted()
            .join(),
        );
        if (rows.length === 1) return 'notified';
        await sql`update parked_post set state = 'handed-over', notify_at = null where text = 'b'`.execute(
          database.db,
        );
        return 'each';
      },
    },
  });
  for (const text of ['a', 'b', 'c']) await insertQuestion(text, clock());
  await engine.runOnce();
  expect(sent.toSorted()).toEqual(['a', 'a,b,c', 'c']);
});

test('the rows of a split group are notified in turns, with no more at the same time than otherwise', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e'];
  let [current, most] = [0, 0];
  const sent: string[] = [];
  const { engine, clock } = createHeldPosts(database.db, {
    notifying: {
      ...{ groupColumn: 'workspace', splitBy: ({ text }) => text, maxInProgress: 2 },
      async notify([{ text }]) {
        current += 1;
        most = Math.max(most, current);
        await sql`select 1`.execute(database.db);
        sent.push(text);
        current -= 1;
        return 'notified';
      },
    },
  });
  for (const text of texts) await insertQuestion(text, clock());
  await engine.runOnce();
  expect([sent.toSorted(), most]).toEqual([texts, 2]);
});

test('a failure to prepare a scan, or to create rows, keeps nothing from being handed over or asked', async () => {
  const { engine, errors, handedOver, questions, clock } = createHeldPosts(database.db, {
    beforeScan: () => Promise.reject(new Error('no connection')),
    creation: {
      nextAt: () => sql`(select now() - interval '10 years')`,
      create: () => Promise.reject(new Error('bad rule')),
    },
  });
  await insertHeldPost('due', clock());
  await insertQuestion('sent?', clock());
  await engine.runOnce();
  expect([handedOver, questions]).toEqual([['due'], ['sent?']]);
  expect(new Set(errors)).toEqual(
    new Set(['preparation of a scan failed', 'creation of due deliveries failed']),
  );
});

test('more excluded rows than a statement has parameters don’t keep the others from being handed over', async () => {
  const { engine, verbs, handedOver, clock } = createHeldPosts(database.db);
  await insertHeldPost('due', clock());
  await insertHeldPost('excluded', clock());
  const error = new Error('unreadable');
  for (let index = 0; index < 66_000; index += 1) verbs.exclusions.exclude(`row-${index}`, error);
  verbs.exclusions.exclude('excluded', error);
  await engine.runOnce();
  expect(handedOver).toEqual(['due']);
});

test('a resume also makes a row due that an instance has claimed while sending was stopped', async () => {
  const { engine, verbs, handedOver, clock } = createHeldPosts(database.db);
  const waitsUntil = new Date(clock().getTime() + 10 * MINUTE_MS);
  await stopSending(database.db, { reason: '', since: clock() });
  await sql`insert into parked_post (id, workspace, state, reason, next_at, lease_until, fence, changed_at, text)
    values ('a', 'T1', 'held', 'stopped', ${waitsUntil}, ${waitsUntil}, 1, ${clock()}, 'stopped')`.execute(
    database.db,
  );
  const { rows } = await sql<HeldPost>`select * from parked_post`.execute(database.db);
  await resumeSending(database.db, [PARKED_POSTS], clock());
  // The instance that had claimed the row still believes in the stop.
  for (const row of rows) expect(await verbs.wait(row, { next_at: waitsUntil })).toBeUndefined();
  await engine.runOnce();
  expect(handedOver).toEqual(['stopped']);
});

onPostgres((buildUrl) => {
  test('a due row that a transaction holds is looked at twice a second, and asked about afterwards', async () => {
    const postgres = await createOnPostgres(buildUrl);
    const db = await openDatabase<BotSchema>({ dialect: postgres.dialect(), migrations });
    const otherSession = new Kysely<BotSchema>({ dialect: postgres.dialect() });
    await createParkedPosts(db);
    const scanTimes: number[] = [];
    const { engine, questions, clock } = createHeldPosts(db, {
      onScan: () => void scanTimes.push(performance.now()),
    });
    await insertQuestion('sent?', clock(), db);
    await otherSession.transaction().execute(async (transaction) => {
      await sql`select id from parked_post for update`.execute(transaction);
      engine.start();
      await expect.poll(() => scanTimes.length).toBeGreaterThanOrEqual(4);
    });
    expect((scanTimes[3] ?? 0) - (scanTimes[0] ?? 0)).toBeGreaterThan(3 * 400);
    await expect.poll(() => questions).toEqual(['sent?']);
    await engine.stop();
    for (const connection of [db, otherSession]) await connection.destroy();
    await postgres.close();
  });
});
