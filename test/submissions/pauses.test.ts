import { afterAll, beforeAll, expect, test } from 'vitest';
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
