import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumeSending, stopSending } from '../../src/delivery/sending-stop.ts';
import { findStopAndPauses, pauseScope } from '../../src/submissions/sql/pauses.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { NOW } from '../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('a deleted workspace has no pauses', async () => {
  const query = { workspace: 'T1', project: null, scopes: ['token'] };
  await pauseScope(database.db, { workspace: 'T1', scope: 'token', status: 401, now: NOW, probeAt: NOW });
  expect((await findStopAndPauses(database.db, query)).pauses).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW);
  expect((await findStopAndPauses(database.db, query)).pauses).toEqual([]);
});

test('one statement finds the stop of a project and all pauses', async () => {
  const pause = { workspace: 'T1', status: 403, now: NOW, probeAt: NOW };
  const query = { workspace: 'T1', project: 'p1', scopes: ['token', 'rights post p1'] };
  await stopSending(database.db, { reason: 'wrong copy', since: NOW, stoppedBy: 'U1' }, query);
  expect(await findStopAndPauses(database.db, query)).toEqual({
    stop: { reason: 'wrong copy', since: NOW, stopped_by: 'U1' },
    pauses: [],
  });
  for (const scope of [...query.scopes, 'token p2']) await pauseScope(database.db, { ...pause, scope });
  const { stop, pauses } = await findStopAndPauses(database.db, query);
  expect(stop?.reason).toBe('wrong copy');
  expect(pauses.map(({ scope }) => scope).sort()).toEqual(query.scopes.toSorted());
  await resumeSending(database.db, NOW, query);
  expect(await findStopAndPauses(database.db, query)).toMatchObject({ stop: undefined, pauses: [{}, {}] });
});
