import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPauses, pauseScope } from '../../src/submissions/sql/pauses.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { type BotDatabase, NOW, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('a deleted workspace has no pauses', async () => {
  const query = { workspace: 'T1', scopes: ['token'] };
  await pauseScope(database.db, { workspace: 'T1', scope: 'token', status: 401, now: NOW, probeAt: NOW });
  expect(await findPauses(database.db, query)).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW);
  expect(await findPauses(database.db, query)).toEqual([]);
});
