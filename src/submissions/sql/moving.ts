import type { Kysely, Updateable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { SENDABLE, type State } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/**
 * Submissions in the hands of one instance at a time. A claim gives a lease and the next fencing token; a move counts
 * only with the token that the row has, so who was too slow changes nothing any more.
 */

/** Postgres' unique_violation. */
const NOT_UNIQUE = '23505';

type Change = Pick<
  Updateable<BotSchema['submission']>,
  | 'why'
  | 'reason'
  | 'content'
  | 'baseline'
  | 'looks'
  | 'attempts'
  | 'lease_until'
  | 'next_at'
  | 'tried_since'
  | 'locked'
  | 'doubted'
  | 'tell_at'
  | 'told_at'
  | 'telling_since'
  | 'result'
>;

/** One row for who asked for it, where it is in one of these states and in nobody's hands. */
export async function claimOne(
  db: Kysely<BotSchema>,
  claim: { id: string; states: readonly State[]; at: Date; leaseUntil: Date; to?: State; change?: Change },
): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submission')
    .set((row) => ({
      ...claim.change,
      ...(claim.to !== undefined && { state: claim.to, changed_at: claim.at }),
      lease_until: claim.leaseUntil,
      fence: row('fence', '+', 1),
    }))
    .where('id', '=', claim.id)
    .where('state', 'in', claim.states)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<=', claim.at)]))
    .returningAll()
    .executeTakeFirst();
}

/** Takes the lock: false where another row holds it. */
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
    if (error instanceof Error && 'code' in error && error.code === NOT_UNIQUE) return false;
    throw error;
  }
}
