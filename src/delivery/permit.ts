import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/**
 * The right to begin one call to another system for a leased row.
 *
 * During the lease no other instance claims the row. But a process may not notice that its lease has expired, if it was
 * frozen or its database answered minutes late. By then another instance may have claimed the row and asked the author,
 * who may have sent the post again. A call may therefore begin only while the rest of the lease covers the whole call.
 */
export interface Permit {
  mayBegin(): boolean;
}

/**
 * Creates a permit that is valid for `validMs`. Call this function before the statement that sets the lease, because
 * the lease begins with that statement.
 */
export function createPermit(
  validMs: number,
  // The monotonic clock stops while a computer sleeps, and the wall clock may be set back. The permit expires as soon
  // as either clock says so.
  clocks: readonly (() => number)[] = [() => performance.now(), Date.now],
): Permit {
  const starts = clocks.map((clock) => clock());
  return {
    mayBegin: () => clocks.every((clock, index) => clock() - (starts[index] ?? 0) <= validMs),
  };
}

/** An operator has stopped all sending. */
interface SendingStop {
  /** The operator's text; '' if there is none. */
  reason: string;
  since: Date;
}

/** The key of the table's only row. */
const SENDING_STOP_KEY = 'sending';

/** Stops sending submissions and digests. If sending is stopped already, the stored reason and time don't change. */
export async function stopSending(db: Kysely<BotSchema>, stop: SendingStop): Promise<void> {
  await db
    .insertInto('sending_stop')
    .values({ name: SENDING_STOP_KEY, ...stop })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Resumes sending and makes the waiting submissions due. Resolves with false if sending wasn't stopped. */
export async function resumeSending(db: Kysely<BotSchema>, now: Date): Promise<boolean> {
  const deletedStops = await db
    .deleteFrom('sending_stop')
    .where('name', '=', SENDING_STOP_KEY)
    .returning('name')
    .execute();
  await db
    .updateTable('submission')
    .set({ next_at: now })
    .where('state', '=', 'retryable')
    .where('reason', '=', 'sending-stopped')
    .execute();
  return deletedStops.length > 0;
}

/** Finds the stop of all sending. Resolves with undefined if sending isn't stopped. */
export async function findSendingStop(db: Kysely<BotSchema>): Promise<SendingStop | undefined> {
  return db
    .selectFrom('sending_stop')
    .select(['reason', 'since'])
    .where('name', '=', SENDING_STOP_KEY)
    .executeTakeFirst();
}
