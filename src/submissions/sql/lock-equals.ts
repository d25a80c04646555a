import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { SENDABLE } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/** Postgres' unique_violation. */
const UNIQUE_VIOLATION = '23505';

/** Takes the lock on equal posts. False if another row has it. */
export async function lockEquals(
  db: Kysely<BotSchema>,
  row: Pick<SubmissionRow, 'id' | 'fence'>,
  lockKey: string,
): Promise<boolean> {
  try {
    const result = await db
      .updateTable('submission')
      .set({ locked: true, lock_key: lockKey })
      .where('id', '=', row.id)
      .where('fence', '=', row.fence)
      // A row that has ended never takes a lock.
      .where('state', 'in', SENDABLE)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
