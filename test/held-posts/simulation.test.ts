import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { emptyTables } from '../support/empty-tables.ts';
import { simulateHeldPosts } from '../support/held-simulation/held-simulation.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => emptyTables(database.db));
afterAll(() => database.close());

const NO_DEFECTS = {
  lost: 0,
  doubled: 0,
  late: 0,
  sentAfterCancel: 0,
  sentWhileStopped: 0,
  otherContent: 0,
  notApproved: 0,
};
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The shortest lead is 15 minutes, and the longest a day. */
const options = (stepMs: number) => ({
  seed: 1,
  posts: 60,
  dbs: [database.db, database.db],
  days: 2,
  stepMs,
});

test('while everything changes and fails, each post goes out once as saved, or somebody is asked', async () => {
  const figures = await simulateHeldPosts(options(30 * MINUTE_MS));
  expect(figures).toMatchObject(NO_DEFECTS);
  expect(figures.delivered).toBeGreaterThan(10);
}, 60_000);

test('after an outage that is shorter than the lead, no post is missed', async () => {
  const figures = await simulateHeldPosts({
    ...options(7 * MINUTE_MS),
    ...{ posts: 40, days: 1, outageMs: 13 * MINUTE_MS },
  });
  expect(figures).toMatchObject({ ...NO_DEFECTS, posts: 40, delivered: 40 });
}, 60_000);

test('after a longer outage, somebody is asked about each missed post', async () => {
  const figures = await simulateHeldPosts({ ...options(HOUR_MS), posts: 40, outageMs: 30 * HOUR_MS });
  expect(figures).toMatchObject(NO_DEFECTS);
  expect(figures.askedPerson).toBeGreaterThan(0);
  expect(figures.delivered + figures.askedPerson).toBe(40);
}, 60_000);
