import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BotSchema } from '../../src/app/schema.ts';
import type { Storage } from '../../src/engine/capability.ts';
import type { DeliveryRow } from '../../src/engine/columns.ts';
import { createDeliveryIndexes, createDeliveryTable } from '../../src/engine/delivery-table.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Lifecycle, StatesWith } from '../../src/engine/lifecycle.ts';
import { stopSending } from '../../src/engine/sending-stop.ts';
import { restoreDeliveries } from '../../src/engine/sql/bulk-transitions.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
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

const PARKED_POSTS: Storage<State, HeldPost> = { table: 'parked_post', lifecycle };

const [MINUTE_MS, SECOND_MS] = [60_000, 1_000];
const RETENTION_MS = 60 * MINUTE_MS;

function createHeldPosts(db: Kysely<BotSchema>) {
  let clockMs = Date.parse('2026-11-20T12:00:00Z');
  const clock = () => new Date(clockMs);
  const handedOver: string[] = [];
  const questions: string[] = [];
  const fail = (fields: object) => expect(fields).toBeUndefined();
  const engine = createEngine({
    db,
    clock: createTestClock(clock),
    isTemporary: () => false,
    log: { warn: fail, error: fail },
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
      async notify([{ text }]) {
        questions.push(text);
        return 'told';
      },
    },
  });
  return {
    engine,
    verbs,
    handedOver,
    questions,
    clock,
    advanceClock: (ms: number) => {
      clockMs += ms;
    },
  };
}

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
  const schema = database.db as unknown as Kysely<unknown>;
  await createDeliveryTable(schema, 'parked_post').addColumn('text', 'text').execute();
  await createDeliveryIndexes(schema, 'parked_post');
});
beforeEach(async () => {
  await sql`delete from parked_post`.execute(database.db);
  await sql`delete from sending_stop`.execute(database.db);
});
afterAll(() => database.close());

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

test('a due post is handed over once', async () => {
  const { engine, handedOver, clock, advanceClock } = createHeldPosts(database.db);
  await insertHeldPost('at once', clock());
  await insertHeldPost('later', new Date(clock().getTime() + MINUTE_MS));
  expect(await engine.runOnce()).toEqual(new Date(clock().getTime() + MINUTE_MS));
  expect(handedOver).toEqual(['at once']);
  advanceClock(MINUTE_MS);
  await engine.runOnce();
  await engine.runOnce();
  expect(handedOver).toEqual(['at once', 'later']);
  expect(await listStates()).toEqual(['handed-over', 'handed-over']);
});

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

test('a finished post is deleted after its retention period, but a post that waits for a person is not', async () => {
  const { engine, verbs, clock, advanceClock } = createHeldPosts(database.db);
  await insertHeldPost('handed over', clock());
  await engine.runOnce();
  await insertHeldPost('asked', clock());
  const { rows } = await sql<HeldPost>`select * from parked_post where text = 'asked'`.execute(database.db);
  for (const row of rows) await verbs.beginSending(row, 'handing-over');
  advanceClock(MINUTE_MS);
  await engine.runOnce();
  expect(await listStates()).toEqual(['unsure', 'handed-over']);
  advanceClock(RETENTION_MS);
  await engine.runOnce();
  expect(await listStates()).toEqual(['unsure']);
});

test('after a backup is restored, no post is handed over before its author is asked', async () => {
  const { engine, handedOver, questions, clock } = createHeldPosts(database.db);
  await insertHeldPost('handed over before the backup', clock());
  await engine.runOnce();
  await insertHeldPost('held', clock());
  expect(await restoreDeliveries(database.db, PARKED_POSTS, { now: clock() })).toEqual({ unsure: 1 });
  await engine.runOnce();
  expect(handedOver).toEqual(['handed over before the backup']);
  expect([await listStates(), questions]).toEqual([['handed-over', 'unsure'], ['held']]);
});

test('nothing is handed over while all sending is stopped', async () => {
  const { engine, handedOver, clock } = createHeldPosts(database.db);
  await stopSending(database.db, { reason: 'wrong copy in the launch posts', since: clock() });
  await insertHeldPost('at once', clock());
  await engine.runOnce();
  expect([await listStates(), handedOver]).toEqual([['held'], []]);
});
