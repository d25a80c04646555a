import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { emptyTables } from '../support/empty-tables.ts';
import { NO_DEFECTS } from '../support/held-simulation/checker.ts';
import { simulateHeldPosts } from '../support/held-simulation/held-simulation.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => emptyTables(database.db));
afterAll(() => database.close());

const MINUTE_MS = 60_000;
/** A simulation takes about ten seconds of a processor, and several times as long on a busy machine. */
const TIMEOUT_MS = 180_000;
const simulate = (options: Partial<Parameters<typeof simulateHeldPosts>[0]>) =>
  simulateHeldPosts({ seed: 1, posts: 24, db: database.db, report: console.log, ...options });

test(
  'while everything changes and fails, each post goes out once as saved, or somebody is asked',
  async () => {
    const figures = await simulate({ posts: 30, zones: 1 });
    expect(figures).toMatchObject(NO_DEFECTS);
    expect(figures.delivered).toBeGreaterThan(5);
  },
  TIMEOUT_MS,
);

test.each(['service', 'upnext'] as const)(
  'after an outage of %s that is shorter than the lead, no post is missed',
  async (of) => {
    const figures = await simulate({ outage: { of, ms: 14 * MINUTE_MS } });
    expect(figures).toMatchObject({ ...NO_DEFECTS, posts: 24, delivered: 24 });
  },
  TIMEOUT_MS,
);

test.each(['service', 'upnext'] as const)(
  'after a longer outage of %s, somebody is asked about each missed post',
  async (of) => {
    const figures = await simulate({ outage: { of, ms: 300 * MINUTE_MS } });
    expect(figures).toMatchObject(NO_DEFECTS);
    expect(figures.askedPerson).toBeGreaterThan(0);
    expect(figures.delivered + figures.askedPerson).toBe(24);
  },
  TIMEOUT_MS,
);
