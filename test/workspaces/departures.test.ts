import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDepartures } from '../../src/workspaces/departures.ts';
import type { InstallationRemoval } from '../../src/workspaces/installations.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => database.db.deleteFrom('departure').execute());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const LEFT_AT = new Date('2026-11-20T12:00:00Z');
const event = (more: object) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  team_id: 'T1',
  event_time: LEFT_AT.getTime() / 1000 - 1,
  event: { type: 'app_uninstalled' },
  ...more,
});
const storedDepartures = () => database.db.selectFrom('departure').selectAll().execute();

/** One instance. It calls `work` when it deletes something. */
function instance(work: () => void = () => undefined) {
  const done: unknown[] = [];
  const left: string[] = [];
  const act =
    (name: string) =>
    async (id: string, about: unknown): Promise<readonly string[]> => {
      work();
      done.push([name, id, about]);
      return [id];
    };
  const removal: InstallationRemoval = {
    remove: act('remove'),
    removeWorkspaces: act('removeWorkspaces'),
    deleteTokens: act('deleteTokens'),
  };
  const quiet = () => undefined;
  const departures = createDepartures({
    db: database.db,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    removal,
    onDeparture: (workspace, kind) => void left.push(`${workspace} ${kind}`),
    retryMs: 20,
  });
  stops.push(departures.stop);
  return { departures, done, left };
}

test.each<[string, object, unknown]>([
  ['uninstalled', {}, ['remove', 'T1', LEFT_AT]],
  [
    'tokens revoked',
    { event: { type: 'tokens_revoked', tokens: { bot: ['U1'] } } },
    ['deleteTokens', 'T1', LEFT_AT],
  ],
  [
    'access to one workspace revoked',
    { enterprise_id: 'E1', event: { type: 'team_access_revoked', team_ids: ['T1', 'T2'] } },
    ['removeWorkspaces', 'E1', ['T1', 'T2']],
  ],
])('%s: the departure is stored, processed once, and removed', async (_what, more, expected) => {
  const { departures, done, left } = instance();
  await departures.save(event(more));
  // Slack sends an event again if it got no acknowledgement.
  await departures.save(event(more));
  expect(await storedDepartures()).toHaveLength(1);
  departures.start();
  await expect.poll(storedDepartures).toEqual([]);
  expect(done).toEqual([expected]);
  expect(left).toHaveLength(1);
});

test('while the database is down the event is not acknowledged, and the departure is processed once the database is back', async () => {
  const { departures, done } = instance();
  departures.start();
  await sql`alter table departure rename to departure_away`.execute(database.db);
  await expect(departures.save(event({}))).rejects.toThrow();
  await sql`alter table departure_away rename to departure`.execute(database.db);
  await expect.poll(() => done).toEqual([['remove', 'T1', LEFT_AT]]);
  await expect.poll(storedDepartures).toEqual([]);
});

test('a failed departure is retried until it succeeds', async () => {
  let failures = 3;
  const { departures, done } = instance(() => {
    if (failures-- > 0) throw new Error('no connection');
  });
  departures.start();
  await departures.save(event({}));
  await expect.poll(() => done).toEqual([['remove', 'T1', LEFT_AT]]);
});

test('another instance carries out a departure that one instance stored', async () => {
  await instance().departures.save(event({}));
  const other = instance();
  other.departures.start();
  await expect.poll(() => other.done).toEqual([['remove', 'T1', LEFT_AT]]);
});

test('a revoked user token is no departure, and its event reaches no other handler', async () => {
  const { departures } = instance();
  const own = event({ event: { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } } });
  await departures.save(own);
  expect(await storedDepartures()).toEqual([]);
  expect(departures.isDeparture(own)).toBe(true);
  expect(departures.isDeparture(event({ event: { type: 'app_mention' } }))).toBe(false);
});
