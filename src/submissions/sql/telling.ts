import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { SubmissionRow } from './submissions.ts';

/** What is to be told, for the caller alone until `until`; `telling_since` before `at` where another has begun to. */
export async function claimToTell(
  db: Kysely<BotSchema>,
  claim: { at: Date; until: Date; limit: number; setAside?: readonly string[] },
): Promise<SubmissionRow[]> {
  const { setAside = [] } = claim;
  return db
    .updateTable('submission')
    .set((row) => ({
      tell_at: claim.until,
      telling_since: row.fn.coalesce('telling_since', row.val(claim.at)),
    }))
    .where('id', 'in', (from) =>
      from
        .selectFrom('submission')
        .select('id')
        .where('tell_at', '<=', claim.at)
        .$if(setAside.length > 0, (query) => query.where('id', 'not in', setAside))
        .orderBy('tell_at')
        .limit(claim.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

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
