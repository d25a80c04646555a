import { addMs } from '../delivery/shared-clock.ts';
import {
  claimNotificationRows,
  clearNotificationRows,
  type NotificationTable,
} from '../delivery/sql/transitions.ts';
import type { HeldPostContext } from './held-post-context.ts';
import type { HeldPostRow } from './sql/held-posts.ts';

/** Storage of notifications. Each post has a separate notification. */
export const NOTIFICATIONS: NotificationTable = {
  table: 'held_post',
  exclusionColumns: ['id'],
  groupColumn: 'id',
};

/** Claims due notifications. Resolves with one function per post, which shows its state to the people concerned. */
export async function claimNotifications(
  context: HeldPostContext,
  freeSlots: number,
): Promise<(() => Promise<void>)[]> {
  const now = context.clock();
  const rows = await claimNotificationRows<HeldPostRow>(context.db, NOTIFICATIONS, {
    now,
    claimedUntil: addMs(now, context.pace.notifyLeaseMs),
    maxRows: freeSlots,
    maxGroups: freeSlots,
    excludedIds: context.exclusions.listIds(),
  });
  return rows.map((row) => () => notifyPeople(context, row));
}

async function notifyPeople(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  if (row.notify_at)
    await clearNotificationRows(context.db, NOTIFICATIONS.table, { ids: [row.id], notifyAt: row.notify_at });
}
