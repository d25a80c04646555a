import { expect, test } from 'vitest';
import { CAPABILITIES, endDeliveries } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { findStopAndPauses, pauseScope } from '../../src/submissions/pause.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { NOW } from '../support/bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();

test('a deleted workspace has no pauses', async () => {
  const query = { workspace: 'T1', project: null, scopes: ['token'] };
  await pauseScope(database.db, { workspace: 'T1', scope: 'token', status: 401, now: NOW, probeAt: NOW });
  expect((await findStopAndPauses(database.db, query)).pauses).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW, endDeliveries);
  expect((await findStopAndPauses(database.db, query)).pauses).toEqual([]);
});

test('the stop of a project and its pauses are found together', async () => {
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
  await resumeSending(database.db, CAPABILITIES, NOW, query);
  expect(await findStopAndPauses(database.db, query)).toMatchObject({ stop: undefined, pauses: [{}, {}] });
});

test('lookups of different projects and workspaces each get their own stops and pauses', async () => {
  const projects = ['p1', 'p2', null].flatMap((project) =>
    ['T1', 'T2'].map((workspace) => ({ workspace, project })),
  );
  await stopSending(
    database.db,
    { reason: 'of p1', since: NOW, stoppedBy: 'U1' },
    { workspace: 'T2', project: 'p1' },
  );
  await pauseScope(database.db, { workspace: 'T2', scope: 'of T2', status: 401, now: NOW, probeAt: NOW });
  const find = () =>
    Promise.all(projects.map((project) => findStopAndPauses(database.db, { ...project, scopes: ['of T2'] })));
  expect((await find()).map(({ stop, pauses }) => [stop?.reason, pauses.length])).toEqual([
    [undefined, 0],
    ['of p1', 1],
    [undefined, 0],
    [undefined, 1],
    [undefined, 0],
    [undefined, 1],
  ]);
  await stopSending(database.db, { reason: 'of everything', since: NOW });
  for (const { stop } of await find())
    expect(stop).toEqual({ reason: 'of everything', since: NOW, stopped_by: null });
  await resumeSending(database.db, CAPABILITIES, NOW);
  const oddProjects = ['a\0b', '\ud800'];
  const odd = oddProjects.map((project) =>
    findStopAndPauses(database.db, { workspace: 'T2', project, scopes: ['of T2', project] }),
  );
  for (const { pauses } of await Promise.all(odd)) expect(pauses).toHaveLength(1);
});
