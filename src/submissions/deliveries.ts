import type { Clock } from '../engine/clock.ts';
import {
  endNotifications,
  type KnownNotifications,
  postponeNotifications,
} from '../engine/sql/notifications.ts';
import { createBatchedStatement } from '../store/batched-statement.ts';
import type { Queryable } from '../store/database.ts';
import { SUBMISSION_STORAGE, type SubmissionRow, type SubmissionTables } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Clears a row's pending notification, because the author has seen the state. */
export async function clearPendingNotification(
  { clearNotification }: Pick<SubmissionContext, 'clearNotification'>,
  { id, notify_at }: SubmissionRow,
): Promise<void> {
  if (notify_at) await clearNotification({ ids: [id], notifyAt: notify_at });
}

/** Makes the notification of a row due, because the result couldn't be shown to the author elsewhere. */
export async function notifyNow(context: SubmissionContext, row: SubmissionRow): Promise<void> {
  if (!row.notify_at) return;
  const notification = { ids: [row.id], notifyAt: row.notify_at };
  const change = { notify_at: context.clock.readShared() };
  await postponeNotifications(context.db, SUBMISSION_STORAGE.table, notification, change);
  context.verbs.wake();
}

/** Creates the function that clears a pending notification. Concurrent calls share statements. */
export function createNotificationClearing({ db, clock }: { db: Queryable<SubmissionTables>; clock: Clock }) {
  return createBatchedStatement<KnownNotifications, never>({
    getKey: ({ ids }) => ids.join(),
    async run(notifications) {
      await endNotifications(db, SUBMISSION_STORAGE.table, notifications, {
        notified_at: clock.readShared(),
      });
      return new Map<string, never>();
    },
  });
}
