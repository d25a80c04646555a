import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDepartures } from '../../src/workspaces/departures.ts';
import type { InstallationRemoval } from '../../src/workspaces/installations.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
const stopFunctions: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => database.db.deleteFrom('departure').execute());
afterEach(async () => {
  for (const stop of stopFunctions.splice(0)) await stop();
});
afterAll(() => database.close());

const DEPARTED_AT = new Date('2026-11-20T12:00:00Z');
const createEvent = (fields: object) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  team_id: 'T1',
  event_time: DEPARTED_AT.getTime() / 1000 - 1,
  event: { type: 'app_uninstalled' },
  ...fields,
});
const listDepartures = () => database.db.selectFrom('departure').selectAll().execute();

/** Creates an instance. It calls `onRemoval` before it deletes something. */
function createInstance(onRemoval: () => void = () => undefined) {
  const removals: unknown[] = [];
  const notifications: string[] = [];
  const recordRemoval =
    (name: string) =>
    async (id: string, details: unknown): Promise<readonly string[]> => {
      onRemoval();
      removals.push([name, id, details]);
      return [id];
    };
  const removal: InstallationRemoval = {
    remove: recordRemoval('remove'),
    removeWorkspaces: recordRemoval('removeWorkspaces'),
    deleteTokens: recordRemoval('deleteTokens'),
  };
  const ignoreLine = () => undefined;
  const departures = createDepartures({
    db: database.db,
    log: { debug: ignoreLine, info: ignoreLine, warn: ignoreLine, error: ignoreLine },
    removal,
    onDeparture: (workspace, kind) => void notifications.push(`${workspace} ${kind}`),
    retryMs: 20,
  });
  stopFunctions.push(departures.stop);
  return { departures, removals, notifications };
}

test.each<[string, object, unknown]>([
  ['an uninstallation', {}, ['remove', 'T1', DEPARTED_AT]],
  [
    'a revoked token',
    { event: { type: 'tokens_revoked', tokens: { bot: ['U1'] } } },
    ['deleteTokens', 'T1', DEPARTED_AT],
  ],
  [
    'revoked access to two workspaces',
    { enterprise_id: 'E1', event: { type: 'team_access_revoked', team_ids: ['T1', 'T2'] } },
    ['removeWorkspaces', 'E1', ['T1', 'T2']],
  ],
])(
  'a departure because of %s is stored, processed once, and then removed',
  async (_kind, fields, expected) => {
    const { departures, removals, notifications } = createInstance();
    await departures.save(createEvent(fields));
    // Slack sends an event again if it got no acknowledgement.
    await departures.save(createEvent(fields));
    expect(await listDepartures()).toHaveLength(1);
    departures.start();
    await expect.poll(listDepartures).toEqual([]);
    expect(removals).toEqual([expected]);
    expect(notifications).toHaveLength(1);
  },
);

test('an uninstallation while the database is down is not acknowledged, and is processed after the outage', async () => {
  const { departures, removals } = createInstance();
  departures.start();
  await sql`alter table departure rename to departure_away`.execute(database.db);
  await expect(departures.save(createEvent({}))).rejects.toThrow();
  await sql`alter table departure_away rename to departure`.execute(database.db);
  await expect.poll(() => removals).toEqual([['remove', 'T1', DEPARTED_AT]]);
  await expect.poll(listDepartures).toEqual([]);
});

test('a failed departure is retried until it succeeds', async () => {
  let remainingFailures = 3;
  const { departures, removals } = createInstance(() => {
    if (remainingFailures-- > 0) throw new Error('no connection');
  });
  departures.start();
  await departures.save(createEvent({}));
  await expect.poll(() => removals).toEqual([['remove', 'T1', DEPARTED_AT]]);
});

test('a departure that one instance stored is processed by another instance', async () => {
  await createInstance().departures.save(createEvent({}));
  const other = createInstance();
  other.departures.start();
  await expect.poll(() => other.removals).toEqual([['remove', 'T1', DEPARTED_AT]]);
});

test('a revoked user token is not a departure, and its event reaches no other handler', async () => {
  const { departures } = createInstance();
  const userTokenEvent = createEvent({
    event: { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } },
  });
  await departures.save(userTokenEvent);
  expect(await listDepartures()).toEqual([]);
  expect(departures.isDeparture(userTokenEvent)).toBe(true);
  expect(departures.isDeparture(createEvent({ event: { type: 'app_mention' } }))).toBe(false);
});
