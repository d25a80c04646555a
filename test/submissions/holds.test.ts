import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdScope, holdsOf } from '../../src/submissions/sql/holds.ts';
import { forgetWorkspace } from '../../src/workspaces/sql/forget-workspace.ts';
import { type BotDatabase, NOW, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('an instance of an earlier version, which goes on while others are replaced, can still hold a workspace', async () => {
  const old = sql`insert into workspace_hold (workspace, status, since, probe_at) values ('T1', 401, now(), now())
    on conflict (workspace) do update set status = excluded.status`;
  await old.execute(database.db);
  await old.execute(database.db);
  expect(await database.db.selectFrom('workspace_hold').select('status').execute()).toEqual([
    { status: 401 },
  ]);
});

test('a workspace that is forgotten holds nothing', async () => {
  const of = { workspace: 'T1', scopes: ['token'] };
  await holdScope(database.db, { workspace: 'T1', scope: 'token', status: 401, at: NOW, probeAt: NOW });
  expect(await holdsOf(database.db, of)).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW);
  expect(await holdsOf(database.db, of)).toEqual([]);
  expect(await database.db.selectFrom('workspace_hold').selectAll().execute()).toEqual([]);
});
