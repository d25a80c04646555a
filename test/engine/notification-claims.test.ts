import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { createExclusions } from '../../src/engine/exclusions.ts';
import { createNotifier } from '../../src/engine/notifier.ts';
import { claimNotifications, endNotifications } from '../../src/engine/sql/notifications.ts';
import type { PublicationRow } from '../../src/publications/publication.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { createTestClock } from '../support/test-clock.ts';

const NOTIFICATIONS = { table: 'publication', exclusionColumns: ['id'], groupColumn: 'author' };
const NOW = new Date('2026-12-01T09:00:00Z');

const database = await setUpBotDatabase();
beforeEach(() => database.db.deleteFrom('publication').execute());

/** Stores a due notification for each author, the oldest first. The ids are the positions. */
async function storeDueNotifications(authors: readonly string[]): Promise<void> {
  await sql`insert into publication (id, workspace, author, state, notify_at, changed_at)
    select position::text, 'T1', author, 'published', ${NOW}::timestamptz - make_interval(secs => 3600 - position), ${NOW}
    from unnest(${sql.val(authors)}::text[]) with ordinality as due(author, position)`.execute(database.db);
}

async function claim({ maxGroups, maxRows = 50 }: { maxGroups: number; maxRows?: number }) {
  const claimedUntil = new Date(NOW.getTime() + 60_000);
  const options = { now: NOW, claimedUntil, maxRows, maxGroups, excludedIds: [] };
  const rows = await claimNotifications<PublicationRow>(database.db, NOTIFICATIONS, options);
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

test('the notifications of a person are claimed together, although those of other people are between them', async () => {
  await storeDueNotifications(['ana', 'ben', 'cleo', 'ana', 'ben', 'ana']);
  expect(await claim({ maxGroups: 2 })).toEqual([1, 2, 4, 5, 6]);
  expect(await claim({ maxGroups: 2 })).toEqual([3]);
  expect(await claim({ maxGroups: 2 })).toEqual([]);
});

test('the oldest notifications are claimed first, up to the maximum', async () => {
  await storeDueNotifications(['ana', 'ana', 'ben', 'ana']);
  expect(await claim({ maxGroups: 1, maxRows: 2 })).toEqual([1, 2]);
  expect(await claim({ maxGroups: 2, maxRows: 2 })).toEqual([3, 4]);
});

test('the end of an earlier state’s notification doesn’t end the one that was claimed in the same millisecond', async () => {
  await storeDueNotifications(['ana']);
  await claim({ maxGroups: 1 });
  const claimed = { ids: ['1'], notifyAt: new Date(NOW.getTime() + 60_000) };
  const end = (state: string) => endNotifications(database.db, 'publication', { ...claimed, state });
  expect([await end('failed'), await end('published')]).toEqual([0, 1]);
});

const OTHERS = Array.from({ length: 999 }, (_, index) => `person ${index}`);

test('a claim chooses from the oldest 1,000 notifications, so that it stays fast after an outage', async () => {
  await storeDueNotifications(['ana', ...OTHERS, 'ana']);
  expect(await claim({ maxGroups: 1 })).toEqual([1]);
});

test('notifications of a person that are due at the same time are claimed together, however many are due', async () => {
  await storeDueNotifications(['ana', ...OTHERS, 'ana']);
  await database.db.updateTable('publication').set({ notify_at: NOW }).execute();
  expect(await claim({ maxGroups: 1 })).toEqual([1, 1_001]);
});

const HOUR_MS = 3_600_000;

test('what Slack refuses for days is tried every half hour at first, then a few times a day, and given up after a week', async () => {
  await storeDueNotifications(['ana']);
  let now = NOW;
  const hours: number[] = [];
  const notifier = createNotifier<PublicationRow>(
    { table: 'publication' },
    {
      groupColumn: 'author',
      async notify() {
        hours.push((now.getTime() - NOW.getTime()) / HOUR_MS);
        return 'later';
      },
    },
  )({
    ...{ db: database.db, clock: createTestClock(() => now), log: { warn: vi.fn() } },
    exclusions: createExclusions(() => now.getTime(), vi.fn()),
    random: () => 0.5,
    isTemporary: () => true,
  });
  const readNotifyAt = async () =>
    (await database.db.selectFrom('publication').select('notify_at').executeTakeFirstOrThrow()).notify_at;
  for (let at = await readNotifyAt(); at; at = await readNotifyAt()) {
    now = at;
    for (const send of await notifier.claim(1)) await send();
  }
  const countUntil = (end: number) => hours.filter((hour) => hour <= end).length;
  expect(countUntil(4)).toBeGreaterThan(16);
  expect(countUntil(24) - countUntil(12)).toBeLessThan(10);
  expect(hours.at(-1)).toBeGreaterThan(6 * 24);
  expect(hours.at(-1)).toBeLessThan(8 * 24);
});
