import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdScope, holdsOf } from '../../src/submissions/sql/holds.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { type BotDatabase, NOW, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('a workspace that is forgotten holds nothing', async () => {
  const of = { workspace: 'T1', scopes: ['token'] };
  await holdScope(database.db, { workspace: 'T1', scope: 'token', status: 401, at: NOW, probeAt: NOW });
  expect(await holdsOf(database.db, of)).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW);
  expect(await holdsOf(database.db, of)).toEqual([]);
});
