import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetInstallation } from '../../src/workspaces/sql/forget-workspace.ts';
import { findInstallation, saveInstallation } from '../../src/workspaces/sql/installations.ts';
import { createOnPostgres, onPostgres, openTestDatabase } from '../support/databases.ts';

const LEFT_AT = new Date('2026-11-20T12:00:00Z');
const createInstallation = (minutesAfter: number) => ({
  ...{ id: 'T1', name: 'Harbour Coffee', bot_user: 'U1', installed_by: 'U2', tokens: '', expires_at: null },
  installed_at: new Date(LEFT_AT.getTime() + minutesAfter * 60_000),
});

onPostgres((buildUrl) => {
  test('a late removal doesn’t delete an installation that is made meanwhile', async () => {
    const db = await openTestDatabase(() => createOnPostgres(buildUrl));
    const countWaiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
      return rows.length;
    };
    await saveInstallation(db, createInstallation(-60));
    const pending = await db.transaction().execute(async (transaction) => {
      // The removal has found no newer installation by then.
      await sql`lock table installed_workspace in access exclusive mode`.execute(transaction);
      const removing = forgetInstallation(db, 'T1', LEFT_AT, async () => undefined, LEFT_AT);
      await expect.poll(countWaiting).toBe(1);
      const installing = saveInstallation(db, createInstallation(1));
      await Promise.race([installing, expect.poll(countWaiting).toBe(2)]);
      return [removing, installing];
    });
    await Promise.all(pending);
    expect(await findInstallation(db, ['T1'])).toMatchObject({
      installed_at: createInstallation(1).installed_at,
    });
  });
});
