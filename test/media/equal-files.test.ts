import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { DAY_MS } from '../../src/durations.ts';
import { beginFile } from '../../src/media/media-store.ts';
import { createOnPostgres, onPostgres, openTestDatabase } from '../support/databases.ts';

// The embedded database has a single connection, on which no two transactions run at once.
onPostgres((buildUrl) => {
  test('of equal files that are completed at the same time, the later one becomes the earlier one', async () => {
    const db = await openTestDatabase(() => createOnPostgres(buildUrl));
    const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
    const now = new Date('2026-11-20T12:00:00Z');
    const facts = { type: 'image/jpeg', isAnimated: false, hadPrivateData: false } as const;
    const write = async (slackFile: string) => {
      const file = { workspace: 'T1', slackFile, store: '', now };
      const writer = await beginFile({ db, encryption }, file);
      await writer.write(Buffer.from('the same picture'));
      return () => writer.complete(facts, new Date(now.getTime() + DAY_MS));
    };
    const countWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
      return rows.length;
    };
    const [completeFirst, completeSecond] = [await write('F1'), await write('F2')];
    const completing = await db.transaction().execute(async (transaction) => {
      // The first file has looked for an equal one, and waits here before it becomes available.
      await transaction
        .selectFrom('media_file')
        .select('id')
        .where('slack_file', '=', 'F1')
        .forNoKeyUpdate()
        .execute();
      const first = completeFirst();
      await expect.poll(countWaiting).toBe(1);
      const second = completeSecond();
      await Promise.race([second, expect.poll(countWaiting).toBe(2)]);
      return [first, second];
    });
    const [first, second] = await Promise.all(completing);
    expect(second?.token).toBe(first?.token);
    expect(await db.selectFrom('media_file').select('slack_file').execute()).toEqual([{ slack_file: 'F2' }]);
  });
});
