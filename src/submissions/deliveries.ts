import { sql } from 'kysely';
import type { Clock } from '../engine/clock.ts';
import { transitionAll } from '../engine/sql/bulk-transitions.ts';
import {
  endNotifications,
  type KnownNotifications,
  postponeNotifications,
} from '../engine/sql/notifications.ts';
import { createBatchedStatement } from '../store/batched-statement.ts';
import type { Queryable } from '../store/database.ts';
import {
  readSubmissionRemote,
  SUBMISSION_STORAGE,
  type SubmissionRow,
  type SubmissionTables,
} from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Discards a row, even a claimed one. `reason` is null for an author's request, and `returned` if the row becomes a held
 * post again. Resolves with false if the row has changed its state.
 */
export async function discardSubmission(
  db: Queryable<SubmissionTables>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  now: Date,
  reason: 'replaced' | 'returned' | null = 'replaced',
): Promise<boolean> {
  const discardedCount = await transitionAll(db, SUBMISSION_STORAGE, {
    fromStates: [state],
    to: 'discarded',
    now,
    change: { reason },
    where: sql`id = ${id}`,
  });
  return discardedCount > 0;
}

/** Discards a submission that an edit replaces. Resolves with false if the service has it, or may have it. */
export async function replaceSubmission(
  db: Queryable<SubmissionTables>,
  row: SubmissionRow,
  now: Date,
): Promise<boolean> {
  if (row.state === 'discarded' && row.reason === 'replaced') return true;
  return readSubmissionRemote(row) === 'absent' && discardSubmission(db, row, now);
}

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
