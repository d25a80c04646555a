import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { SubmissionRow } from './submissions.ts';

/** Its person knows how it stands; where it has moved on meanwhile, there is still something to tell. */
export async function markTold(
  db: Kysely<BotSchema>,
  row: Pick<SubmissionRow, 'id' | 'fence' | 'state'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('submission')
    .set({ tell_at: null, told_at: at, telling_since: null })
    .where('id', '=', row.id)
    .where('fence', '=', row.fence)
    .where('state', '=', row.state)
    .execute();
}

/** It is about to be said; false where it no longer stands so. */
export async function beginTelling(
  db: Kysely<BotSchema>,
  row: Pick<SubmissionRow, 'id' | 'fence' | 'state'>,
  at: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('submission')
    .set({ telling_since: at })
    .where('id', '=', row.id)
    .where('fence', '=', row.fence)
    .where('state', '=', row.state)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
