import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';

const NAME = '2026-12-05-left-workspaces';
let close = async () => {};
afterAll(() => close());

test('whoever had left before an upgrade is kept from then on, and only they', async () => {
  const opened = await openPGlite(await newDatabaseFolder());
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME));
  const old = await openDatabase<BotSchema>({ dialect: opened.dialect, migrations: before });
  const at = new Date('2026-11-20T12:00:00Z');
  const tokens = { tokens: 'sealed', expires_at: null, bot_user: 'U1', installed_by: 'U2' };
  for (const id of ['T1', 'E1'])
    await old
      .insertInto('installation')
      .values({ id, name: '', ...tokens, installed_at: at })
      .execute();
  await old.insertInto('installed_workspace').values({ workspace: 'T2', installation: 'E1' }).execute();
  for (const workspace of ['T1', 'T2', 'T3', 'E1'])
    await old
      .insertInto('zone')
      .values({ workspace, scope: 'person', subject: 'U1', zone: 'UTC', chosen_by: 'U1', chosen_at: at })
      .execute();
  const db = await openDatabase<BotSchema>({ dialect: opened.dialect, migrations });
  close = async () => {
    await db.destroy();
    await opened.close();
  };
  expect(await db.selectFrom('left_workspace').select('workspace').execute()).toEqual([{ workspace: 'T3' }]);
});
