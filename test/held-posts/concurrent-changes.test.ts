import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { rescheduleHandOver } from '../../src/held-posts/policy-change.ts';
import { changePolicy, findPolicy } from '../../src/preferences/project-policy.ts';
import { repeatAfterDeadlock } from '../../src/store/locks.ts';
import { createOnPostgres, onPostgres, openWithTables } from '../support/databases.ts';
import { POLICY, PROJECT, startTestHeldPosts } from '../support/start-held-posts.ts';

const POST_COUNT = 21;
const LONGER = { ...POLICY, leadMinutes: 120 };

/** Runs `change` while another transaction changes the posts in an order that leads to a deadlock. */
async function runIntoDeadlock(
  db: Kysely<BotSchema>,
  ids: readonly string[],
  change: () => Promise<unknown>,
) {
  return db.transaction().execute(async (trx) => {
    // Only the other side finds the deadlock, so that it is the one that Postgres rolls back.
    await sql`set local deadlock_timeout = '1min'`.execute(trx);
    const touch = (touched: readonly string[]) =>
      trx.updateTable('held_post').set({ attempts: 0 }).where('id', 'in', touched).execute();
    await touch(ids.slice(10, 11));
    const result = change();
    // A rejection is handled by the caller, after this transaction.
    result.catch(() => undefined);
    for (let isWaiting = false; !isWaiting; ) {
      // Other databases of the server have locks of their own.
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
      isWaiting = rows.length > 0;
    }
    await touch(ids);
    return { result };
  });
}

/** Does the same eight times at once, on connections that are open already. */
async function atOnce<Result>(db: Kysely<BotSchema>, change: (number: number) => Promise<Result>) {
  const numbers = Array.from({ length: 8 }, (_, number) => number);
  await Promise.all(numbers.map(() => db.transaction().execute((trx) => sql`select`.execute(trx))));
  return Promise.all(numbers.map(change));
}

onPostgres((buildUrl) => {
  async function start() {
    const fixture = await startTestHeldPosts(() => openWithTables(() => createOnPostgres(buildUrl)));
    await fixture.reset();
    const posts = await fixture.hold(Array.from({ length: POST_COUNT }, (_, number) => `post ${number}`));
    const rows = posts.map(({ row }) => row);
    return { ...fixture, rows, ids: rows.map(({ id }) => id) };
  }

  test('a policy can be changed while instances change many of its posts', async () => {
    const { db, context, ids, close } = await start();
    const { result } = await runIntoDeadlock(db, ids, () =>
      repeatAfterDeadlock(() =>
        db.transaction().execute(async (trx) => {
          if ((await changePolicy(trx, PROJECT, { expected: POLICY, policy: LONGER })) !== 'changed')
            return false;
          await rescheduleHandOver(context, trx, PROJECT, 120);
          return true;
        }),
      ),
    );
    expect(await result).toBe(true);
    expect(await findPolicy(db, PROJECT)).toEqual(LONGER);
    await close();
  });

  test('an instance can change many posts while somebody else changes them', async () => {
    const { db, context, rows, ids, close } = await start();
    const { result } = await runIntoDeadlock(db, ids, () =>
      Promise.all(rows.map((row) => context.verbs.settle(row, 'draft'))),
    );
    expect(await result).toHaveLength(POST_COUNT);
    const drafts = await db.selectFrom('held_post').select('id').where('state', '=', 'draft').execute();
    expect(drafts).toHaveLength(POST_COUNT);
    await close();
  });

  test('the same post in several forms at once is stored once', async () => {
    const { db, hold, listRows, close } = await start();
    await atOnce(db, () => hold(['Hello']));
    expect(await listRows()).toHaveLength(POST_COUNT + 1);
    await close();
  });

  test('of several changes of a policy at once, the first counts, and the others are told', async () => {
    const { db, close } = await start();
    const results = await atOnce(db, (number) => {
      const policy = { ...POLICY, leadMinutes: 120 + number };
      return db.transaction().execute((trx) => changePolicy(trx, PROJECT, { expected: POLICY, policy }));
    });
    expect(results.toSorted()).toEqual(['changed', ...Array.from({ length: 7 }, () => 'conflict')]);
    await close();
  });
});
