import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDepartures } from '../../src/workspaces/departures.ts';
import type { Leaving } from '../../src/workspaces/installations.ts';
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
const notes = () => database.db.selectFrom('departure').selectAll().execute();

/** One instance; `work` is what happens when it deletes something. */
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
  const leaving: Leaving = { remove: act('remove'), removeFrom: act('removeFrom'), revoke: act('revoke') };
  const quiet = () => undefined;
  const departures = createDepartures({
    db: database.db,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    leaving,
    onLeft: (workspace, kind) => void left.push(`${workspace} ${kind}`),
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
    ['revoke', 'T1', LEFT_AT],
  ],
  [
    'access to one workspace revoked',
    { enterprise_id: 'E1', event: { type: 'team_access_revoked', team_ids: ['T1', 'T2'] } },
    ['removeFrom', 'E1', ['T1', 'T2']],
  ],
])('%s: it is noted, carried out once, and the note removed', async (_what, more, expected) => {
  const { departures, done, left } = instance();
  await departures.note(event(more));
  // Slack sends it again where it heard no answer.
  await departures.note(event(more));
  expect(await notes()).toHaveLength(1);
  departures.start();
  await expect.poll(notes).toEqual([]);
  expect(done).toEqual([expected]);
  expect(left).toHaveLength(1);
});

test('while the database is down Slack hears a failure, and it is carried out once the database is back', async () => {
  const { departures, done } = instance();
  departures.start();
  await sql`alter table departure rename to departure_away`.execute(database.db);
  await expect(departures.note(event({}))).rejects.toThrow();
  await sql`alter table departure_away rename to departure`.execute(database.db);
  await expect.poll(() => done).toEqual([['remove', 'T1', LEFT_AT]]);
  await expect.poll(notes).toEqual([]);
});

test('what fails is tried again until it is done', async () => {
  let failures = 3;
  const { departures, done } = instance(() => {
    if (failures-- > 0) throw new Error('no connection');
  });
  departures.start();
  await departures.note(event({}));
  await expect.poll(() => done).toEqual([['remove', 'T1', LEFT_AT]]);
});

test('what an instance has noted and could not carry out, another one carries out', async () => {
  await instance().departures.note(event({}));
  const other = instance();
  other.departures.start();
  await expect.poll(() => other.done).toEqual([['remove', 'T1', LEFT_AT]]);
});

test('a person’s own token that is revoked is noted by nobody, and is no request for anything else', async () => {
  const { departures } = instance();
  const own = event({ event: { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } } });
  await departures.note(own);
  expect(await notes()).toEqual([]);
  expect(departures.isOne(own)).toBe(true);
  expect(departures.isOne(event({ event: { type: 'app_mention' } }))).toBe(false);
});
