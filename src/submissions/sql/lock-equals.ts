import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { SENDABLE } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/** The SQLSTATE unique_violation. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';

/** Locks equal posts for a row. Resolves with false if another row has the lock. */
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
      // A row that has ended can't take the lock.
      .where('state', 'in', SENDABLE)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
