import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { createExclusions } from '../../src/engine/exclusions.ts';
import { createNotifier, type Notifier, type Notifying } from '../../src/engine/notifier.ts';
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

function createPublicationNotifier(
  readTime: () => Date,
  notifying: Pick<Notifying<PublicationRow>, 'notify' | 'leaseMs'>,
): Notifier {
  const storage = { table: 'publication' };
  return createNotifier<PublicationRow>(storage, { groupColumn: 'author', ...notifying })({
    ...{ db: database.db, clock: createTestClock(readTime), log: { warn: vi.fn() } },
    exclusions: createExclusions(() => readTime().getTime(), vi.fn()),
    random: () => 0.5,
    isTemporary: () => true,
  });
}

const readNotification = () =>
  database.db.selectFrom('publication').select(['notify_at', 'notify_attempts']).executeTakeFirstOrThrow();

test('an attempt that takes longer than its claim keeps it, so its failure counts and nobody else begins one', async () => {
  await storeDueNotifications(['ana']);
  const { promise: slack, resolve: giveUp } = Promise.withResolvers<'later'>();
  const notify = vi.fn(() => slack);
  const startedAt = performance.now();
  const readTime = () => new Date(NOW.getTime() + performance.now() - startedAt);
  const notifier = createPublicationNotifier(readTime, { notify, leaseMs: 300 });
  const running = (await notifier.claim(1)).map((send) => send());
  const claimedUntil = (await readNotification()).notify_at;
  await expect.poll(() => readTime() > (claimedUntil ?? NOW)).toBe(true);
  expect(await notifier.claim(1)).toEqual([]);
  giveUp('later');
  await Promise.all(running);
  expect(await readNotification()).toMatchObject({ notify_attempts: 1 });
  expect(notify).toHaveBeenCalledOnce();
});

test('what Slack refuses for days is tried every half hour at first, then every two hours or so, and given up after a week', async () => {
  await storeDueNotifications(['ana']);
  let now = NOW;
  const hours: number[] = [];
  const notifier = createPublicationNotifier(() => now, {
    async notify() {
      hours.push((now.getTime() - NOW.getTime()) / HOUR_MS);
      return 'later';
    },
  });
  for (let { notify_at: at } = await readNotification(); at; { notify_at: at } = await readNotification()) {
    now = at;
    for (const send of await notifier.claim(1)) await send();
  }
  const countUntil = (end: number) => hours.filter((hour) => hour <= end).length;
  expect(countUntil(4)).toBeGreaterThan(16);
  expect(countUntil(24) - countUntil(12)).toBeLessThan(10);
  expect(hours.at(-1)).toBeGreaterThan(6 * 24);
  expect(hours.at(-1)).toBeLessThan(8 * 24);
});
