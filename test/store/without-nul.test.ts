import { expect, test } from 'vitest';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();

test('an id with a NUL character can be stored and found', async () => {
  const { db } = database;
  const row = { workspace: 'T1', channel: 'C\0', project: 'p\0', bound_by: 'U1', bound_at: new Date(0) };
  await db.insertInto('channel_project').values(row).execute();
  const foundRows = await db
    .selectFrom('channel_project')
    .select('project')
    .where('channel', '=', 'C\0')
    .where('project', 'in', ['p\0', 'other'])
    .execute();
  expect(foundRows).toEqual([{ project: 'p\uFFFD' }]);
});
